/* The probe: one request in, one reply out (docs/reference/probe-protocol.md). */
#ifndef MOTEBENCH_PROBE_H
#define MOTEBENCH_PROBE_H

#include "cbor.h"
#include "motebench/adapter.h"
#include "motebench/port.h"
#include "motebench/text.h"

#define MB_PROTOCOL 2u
#define MB_PROBE_NAME "motebench-c " MB_VERSION

/*
 * The device that a firmware was built for, empty on hosts, and what tells it from every other
 * firmware.
 */
enum { MB_IMAGE_BYTES = 8 };
extern const char MOTE_FLASH mb_device[];
extern const uint8_t MOTE_FLASH mb_image[MB_IMAGE_BYTES];

/* The kinds of an error reply. */
extern const char MOTE_FLASH MB_KIND_BAD_REQUEST[], MB_KIND_UNSUPPORTED[], MB_KIND_TOO_BIG[],
    MB_KIND_ERROR[], MB_KIND_WRONG_ANSWER[];

/* A reply under construction: the map behind "ok" once it was begun, or what went wrong. */
typedef struct mb_reply {
    mb_writer writer;
    mb_map root, ok;
    uint64_t id;
    mb_text kind, where, what; /* of the error; texts that stay until the reply is sent */
    size_t lacks;              /* bytes that are missing, a number behind the text; 0: none */
} mb_reply;

/*
 * Begin the map behind "ok", which is `reply->ok` from then on. The reply may take the place of the
 * request: nothing of the request is read after that, and a job is closed before.
 */
mb_map *mb_reply_begin(mb_reply *reply);

/* The reply must leave what is at `kept`, and all that is behind it in the same buffer. */
void mb_reply_keep(mb_reply *reply, const void *kept);

/*
 * Note what went wrong, "where: what" (either may be NULL), and give false for the caller to pass
 * on.
 */
bool mb_fail(mb_reply *reply, mb_text kind, mb_text where, mb_text what);

/*
 * Note the failure that an adapter's status stands for, with the library's own words where it has
 * any.
 */
bool mb_fail_status(mb_reply *reply, mb_status status);

/* Note that `bytes` of memory are missing, "what: bytes", and give false. */
bool mb_fail_lacks(mb_reply *reply, mb_text what, size_t bytes);

/* Write the error that was noted, in the place of all that was written before. */
void mb_reply_fail(mb_reply *reply);

/* Make the reply {"rejected": true}. */
void mb_reply_rejected(mb_reply *reply);

/* Answers one kind of request: fills reply->ok, or calls mb_fail and returns false. */
typedef struct mb_handler {
    mb_text name;
    bool (*handle)(mb_item request, mb_reply *reply);
} mb_handler;

/* The handlers that every port has. */
bool mb_handle_hello(mb_item request, mb_reply *reply);
bool mb_handle_list(mb_item request, mb_reply *reply);
bool mb_handle_compute(mb_item request, mb_reply *reply);
bool mb_handle_measure(mb_item request, mb_reply *reply);
bool mb_handle_memory(mb_item request, mb_reply *reply);

/*
 * Handler `i` of the core and the port together, or NULL behind the last. Tables of them are in
 * flash where that matters.
 */
const mb_handler MOTE_FLASH *mb_handler_at(size_t i);

/*
 * Answer one request: `len` bytes of payload. Returns the length of the reply in the port's
 * frame_out, or 0 if the bytes are no request (no single well-formed map with an "id"), which is
 * not answered.
 */
size_t mb_answer(const uint8_t *payload, size_t len);

/* Bytes of the adapter's state for one scheme, or (NULL) for any. */
size_t mb_ctx_size(const mb_scheme *scheme);

/* Set the library up and measure the clocks; false if the library cannot be used. */
bool mb_probe_init(void);

/*
 * Answer requests from the port's stream until it ends. Returns the exit status: 0, or 1 if replies
 * cannot be sent.
 */
int mb_probe_run(void);

#endif
