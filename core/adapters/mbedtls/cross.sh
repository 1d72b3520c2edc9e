#!/bin/sh
# Builds libmbedcrypto for another machine, as its own Makefile does it; tools/setup.sh (cross_library) says which variables
# there are. Its Makefile builds beside its sources, so these are copied.
set -eu
cp -r "$SOURCE/3rdparty" "$SOURCE/include" "$SOURCE/library" .
make -j 2 -C library libmbedcrypto.a CC="$CC" AR="$AR" CFLAGS=-O2
mkdir -p "$PREFIX/include" "$PREFIX/lib"
cp -r include/mbedtls include/psa "$PREFIX/include"
cp library/libmbedcrypto.a "$PREFIX/lib"
