#!/bin/sh
# Builds libcrypto of AWS-LC; tools/setup.sh (library) says which variables there are. Static; generated assembly is in the archive,
# so neither Go nor Perl is needed.
set -eu
cmake -S "$SOURCE/aws-lc" -B . -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_LIBSSL=OFF \
    -DBUILD_TOOL=OFF -DDISABLE_GO=ON -DDISABLE_PERL=ON -DENABLE_SOURCE_MODIFICATION=OFF
cmake --build . -j "$JOBS" --target crypto
mkdir -p "$PREFIX/include" "$PREFIX/lib"
cp -R "$SOURCE/aws-lc/include/openssl" "$PREFIX/include"
cp crypto/libcrypto.a "$PREFIX/lib"
