/* The Crypto++ adapter as the probe sees it. */
#include "cryptopp_adapter.hpp"

namespace motebench {

std::string library_version()
{
    const int version = CryptoPP::LibraryVersion(); /* 870 is 8.7.0 */
    return "Crypto++ " + std::to_string(version / 100) + "." + std::to_string(version / 10 % 10) +
           "." + std::to_string(version % 10);
}

/*
 * Texts that do not decrypt or verify are an answer; lengths that an algorithm refuses are not
 * offered.
 */
mb_status library_status(const std::exception &error, mb_operation op)
{
    const auto *e = dynamic_cast<const CryptoPP::Exception *>(&error);
    if (e == nullptr)
        return MB_ERROR;
    const bool checks = op == MB_DECRYPT_MESSAGE || op == MB_VERIFY;
    if (checks && (e->GetErrorType() == CryptoPP::Exception::DATA_INTEGRITY_CHECK_FAILED ||
                   e->GetErrorType() == CryptoPP::Exception::INVALID_DATA_FORMAT))
        return MB_REJECTED;
    return dynamic_cast<const CryptoPP::InvalidArgument *>(e) != nullptr
               ? MB_UNSUPPORTED
               : MB_ERROR;
}

std::vector<Offer> library_offers()
{
    cryptopp::Offers offers;
    cryptopp::add_ciphers(offers);
    cryptopp::add_digests(offers);
    cryptopp::add_rsa(offers);
    cryptopp::add_curves(offers);
    cryptopp::add_x25519(offers);
    cryptopp::add_ecdh(offers);
    return offers;
}

} // namespace motebench

extern "C" const mb_adapter mb_the_adapter = motebench::make_adapter("cryptopp");
