/* The Botan adapter as the probe sees it. */
#include <botan/exceptn.h>
#include <botan/version.h>

#include "botan_adapter.hpp"

namespace motebench {

std::string library_version()
{
    return "Botan " + Botan::short_version_string();
}

/* What does not decrypt or verify is an answer; lengths that an algorithm refuses are not offered. */
mb_status library_status(const std::exception &error, mb_operation op)
{
    const bool checks = op == MB_DECRYPT_MESSAGE || op == MB_VERIFY;
    if (checks && (dynamic_cast<const Botan::Invalid_Authentication_Tag *>(&error) != nullptr ||
                   dynamic_cast<const Botan::Decoding_Error *>(&error) != nullptr))
        return MB_REJECTED;
    if (dynamic_cast<const Botan::Invalid_Key_Length *>(&error) != nullptr ||
        dynamic_cast<const Botan::Invalid_IV_Length *>(&error) != nullptr ||
        dynamic_cast<const Botan::Lookup_Error *>(&error) != nullptr)
        return MB_UNSUPPORTED;
    return MB_ERROR;
}

} // namespace motebench

extern "C" const mb_adapter mb_the_adapter = motebench::make_adapter("botan");
