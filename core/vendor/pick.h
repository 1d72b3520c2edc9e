/*
 * Entries that are built into a firmware, which has one scheme. MOTE_PICK(id, entry) is `entry,`
 * where MOTE_PICK_id is 1, and nothing elsewhere; without MOTE_PICKED, in programs for hosts, it is
 * always `entry,`. A firmware for aes-128-cbc is compiled with MOTE_PICKED and the picks
 * aes_128_cbc (schemes), aes_128 (block ciphers) and cbc (modes).
 */
#ifndef MOTE_VENDOR_PICK_H
#define MOTE_VENDOR_PICK_H

#ifdef MOTE_PICKED
/* MOTE_IS(x) is 1 where x is a macro for 1, and 0 where it is no macro. */
#define MOTE_IS_COMMA_1 0,
#define MOTE_IS_SECOND(a, b, ...) b
#define MOTE_IS_OF(comma) MOTE_IS_SECOND(comma 1, 0, 0)
#define MOTE_IS_NAMED(x) MOTE_IS_OF(MOTE_IS_COMMA_##x)
#define MOTE_IS(x) MOTE_IS_NAMED(x)
#define MOTE_TAKE_0(...)
#define MOTE_TAKE_1(...) __VA_ARGS__,
#define MOTE_TAKE_NAMED(is, ...) MOTE_TAKE_##is(__VA_ARGS__)
#define MOTE_TAKE(is, ...) MOTE_TAKE_NAMED(is, __VA_ARGS__)
#define MOTE_PICK(id, ...) MOTE_TAKE(MOTE_IS(MOTE_PICK_##id), __VA_ARGS__)
#else
#define MOTE_PICK(id, ...) __VA_ARGS__,
#endif

/*
 * A line of its own that names an implementation which is an adapter itself, for the build; one
 * that only has descriptors has MOTE_IMPLEMENTATION in its place.
 */
#define MOTE_ADAPTER(symbol)

#endif
