#!/bin/sh
# Builds Botan 3; tools/setup.sh (library) says which variables there are. Static, with all code for this
# kind of processor. Modules that no scheme of motebench needs are left out: with them the build takes twice as long.
set -eu
without=adler32,argon2,argon2_avx2,argon2_avx512,argon2_simd64,argon2fmt,base32,base58,bcrypt,bcrypt_pbkdf,\
blake2mac,cascade,certstor_flatfile,certstor_sql,certstor_system,chacha_rng,classic_mceliece,comb4p,compat,crc24,crc32,\
cryptobox,curve448,dh,dilithium,dilithium_aes,dilithium_round3,dlies,dns_name,dsa,ecgdsa,ecies,eckcdsa,ed448,elgamal,\
email,eme_oaep,eme_pkcs1,eme_raw,emsa_x931,fd_unix,ffi,filters,fpe_fe1,frodokem,frodokem_aes,gcm_siv,gost_28147,\
gost_3410,gost_3411,hotp,hss_lms,http_util,hybrid_kem,ip_address,iso9796,kdf1,kdf1_iso18033,kdf2,kuznyechik,kyber,\
kyber_90s,kyber_round3,lion,mce,md4,nist_keywrap,noekeon,par_hash,passhash9,\
pcurves_brainpool256r1,pcurves_brainpool384r1,pcurves_brainpool512r1,pcurves_frp256v1,\
pcurves_numsp512d1,pcurves_secp192r1,pcurves_secp224r1,pcurves_secp256k1,pcurves_secp384r1,pcurves_secp521r1,\
pcurves_sm2p256v1,pgp_s2k,pkcs11,pkcs12_kdf,prf_tls,prf_x942,psk_db,rfc3394,roughtime,shacal2,siphash,siv,skein,\
sm2,sm3,sm4,socket,sodium,sp800_108,sp800_56a,sp800_56c,spake2p,sphincsplus_sha2,sphincsplus_shake,srp6,streebog,\
threefish_512,tls,tss,uri,uuid,whirlpool,x448,x509,x919_mac,xmss,zfec
tar xf "$SOURCE/vendor/Botan-3.13.0.tar.xz" --strip-components=1
./configure.py --build-targets=static --without-documentation --link-method=copy --disable-modules="$without"
make -j "$JOBS" libbotan-3.a
mkdir -p "$PREFIX/include" "$PREFIX/lib"
cp -R build/include/public/botan "$PREFIX/include"
cp libbotan-3.a "$PREFIX/lib"
