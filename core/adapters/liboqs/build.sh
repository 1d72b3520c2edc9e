#!/bin/sh
# Builds liboqs with the algorithms that are offered; tools/setup.sh (library) says which variables there are. Static; at run time it
# chooses the code for the processor, as in distributions. Its own SHA-3 and AES: nothing of OpenSSL is in it.
set -eu
sets='KEM_ml_kem_512;KEM_ml_kem_768;KEM_ml_kem_1024;SIG_ml_dsa_44;SIG_ml_dsa_65;SIG_ml_dsa_87'
cmake -S "$SOURCE/liboqs" -B . -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DOQS_DIST_BUILD=ON -DOQS_USE_OPENSSL=OFF \
    -DOQS_BUILD_ONLY_LIB=ON "-DOQS_MINIMAL_BUILD=$sets"
cmake --build . -j "$JOBS" --target oqs
mkdir -p "$PREFIX/include" "$PREFIX/lib"
cp -R include/oqs "$PREFIX/include"
cp lib/liboqs.a "$PREFIX/lib"
