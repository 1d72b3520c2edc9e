#!/bin/sh
# Builds libcrypto for another machine; tools/setup.sh (cross_library) says which variables there are. Static, with the
# legacy provider and the assembly of the architecture in it. No file of the board changes what it does.
set -eu
case "$ARCHITECTURE" in
    arm) system=linux-armv4 ;;
    aarch64) system=linux-aarch64 ;;
    riscv) system=linux64-riscv64 ;;
    x86_64) system=linux-x86_64 ;;
    *) echo "OpenSSL: no assembly is known for $ARCHITECTURE" && exit 1 ;;
esac
# With musl, too, OpenSSL asks the system what the processor can do, and which model it is, as it does with glibc: it chooses
# other code for RSA on a Cortex-A72. By itself it would try instructions, and would not see the model.
cat >motebench-features.h <<'END'
#ifndef __ASSEMBLER__
#define OSSL_IMPLEMENT_GETAUXVAL
#define AT_SECURE 23
unsigned long getauxval(unsigned long type);
#endif
END
# musl has no contexts to switch between, so no-async; protocols are of no use here
perl "$SOURCE/openssl/Configure" "$system" no-shared no-module no-tests no-docs no-apps no-async no-autoload-config \
    no-cmp no-cms no-comp no-ct no-http no-ocsp no-rfc3779 no-ts --prefix=/nonexistent --openssldir=/nonexistent \
    CPPFLAGS="-include motebench-features.h"
make -j 2 build_generated libcrypto.a
mkdir -p "$PREFIX/include/openssl" "$PREFIX/lib"
cp "$SOURCE"/openssl/include/openssl/*.h include/openssl/*.h "$PREFIX/include/openssl"
cp libcrypto.a "$PREFIX/lib"
