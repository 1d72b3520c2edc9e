/* The Botan adapter as the probe sees it. */
#include <botan/exceptn.h>
#include <botan/version.h>
#if BOTAN_VERSION_MAJOR < 3
#include <botan/cpuid.h>
#endif

#include <cstdlib>
#include <sstream>

#include "botan_adapter.hpp"

#ifndef MBB_IMPLEMENTATION
#define MBB_IMPLEMENTATION "botan"
#endif

namespace motebench {

namespace {

#if BOTAN_VERSION_MAJOR < 3

/*
 * Instructions that are to be left unused: see variants.toml. Before the library is used for the
 * first time.
 */
mb_status init_botan() noexcept
{
    try {
        const char *without = std::getenv("MOTEBENCH_BOTAN_WITHOUT");
        std::istringstream names(without != nullptr ? without : "");
        for (std::string name; names >> name;)
            for (const auto bit : Botan::CPUID::bit_from_string(name))
                Botan::CPUID::clear_cpuid_bit(bit);
    } catch (const std::exception &) {
        return MB_ERROR;
    }
    return init();
}

const char *botan_features() noexcept
{
    static std::string text;
    try {
        text = "Botan::CPUID: " + Botan::CPUID::to_string();
    } catch (const std::exception &) {
        return nullptr;
    }
    return text.c_str();
}

#endif

constexpr mb_adapter botan_adapter()
{
    mb_adapter adapter = make_adapter(MBB_IMPLEMENTATION);
/* Later, BOTAN_CLEAR_CPUID in the environment does it, and the library does not say. */
#if BOTAN_VERSION_MAJOR < 3
    adapter.init = init_botan;
    adapter.cpu_features = botan_features;
#endif
    return adapter;
}

} // namespace

std::string library_version()
{
    return "Botan " + Botan::short_version_string();
}

/*
 * Texts that do not decrypt or verify are an answer; lengths that an algorithm refuses are not
 * offered.
 */
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

extern "C" const mb_adapter mb_the_adapter = motebench::botan_adapter();
