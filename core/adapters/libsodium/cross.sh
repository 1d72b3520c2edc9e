#!/bin/sh
# Builds libsodium for another machine; tools/setup.sh (cross_library) says which variables there are. Static, with code
# for optional features of the processor, which the library asks for when it starts.
set -eu
"$SOURCE/src/libsodium/configure" --host="$HOST" --prefix="$PREFIX" --disable-shared --enable-static \
    --disable-dependency-tracking --disable-pie CC="$CC" AR="$AR" RANLIB="$RANLIB" CFLAGS=-O3
make -j 2 -C src/libsodium install
mkdir -p "$PREFIX/lib/pkgconfig"
cp libsodium.pc "$PREFIX/lib/pkgconfig"
