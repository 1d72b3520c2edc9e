#!/bin/sh
# Builds libcrypto of OpenSSL 4; tools/setup.sh (library) says which variables there are. Static, with the legacy provider and the
# assembly of this machine in it, as `config` chooses it. Protocols are of no use here. No file of the machine changes what it does.
set -eu
"$SOURCE/openssl/config" no-shared no-module no-tests no-docs no-apps no-async no-autoload-config no-cmp no-cms no-comp \
    no-ct no-http no-ocsp no-rfc3779 no-ts --prefix=/nonexistent --openssldir=/nonexistent
make -j "$JOBS" build_generated libcrypto.a
mkdir -p "$PREFIX/include/openssl" "$PREFIX/lib"
cp "$SOURCE"/openssl/include/openssl/*.h include/openssl/*.h "$PREFIX/include/openssl"
cp libcrypto.a "$PREFIX/lib"
