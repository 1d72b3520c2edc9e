/* The probe: one request in, one reply out (docs/protocol.md). */
#ifndef MOTEBENCH_PROBE_H
#define MOTEBENCH_PROBE_H

#include "cbor.h"
#include "motebench/adapter.h"
#include "motebench/port.h"

#define MB_PROTOCOL 1u
#define MB_PROBE_NAME "motebench-c " MB_VERSION

/* The device that a firmware was built for, empty on hosts, and what tells it from every other firmware. */
enum { MB_IMAGE_BYTES = 8 };
extern const char mb_device[];
extern const uint8_t mb_image[MB_IMAGE_BYTES];

/* The kinds of an error reply. */
extern const char MB_KIND_BAD_REQUEST[], MB_KIND_UNSUPPORTED[], MB_KIND_TOO_BIG[], MB_KIND_ERROR[],
    MB_KIND_WRONG_ANSWER[];

/* A reply under construction: the map behind "ok", or what went wrong. */
typedef struct mb_reply {
    mb_writer writer;
    mb_map ok;
    const char *kind; /* of the error */
    char text[240];   /* of the error, zero-terminated */
} mb_reply;

/* Note what went wrong, "where: what" (either may be NULL), and give false for the caller to pass on. */
bool mb_fail(mb_reply *reply, const char *kind, const char *where, const char *what);

/* Note the failure that an adapter's status stands for, with the library's own words where it has any. */
bool mb_fail_status(mb_reply *reply, mb_status status);

/* Note that `bytes` of memory are missing, and give false. */
bool mb_fail_lacks(mb_reply *reply, size_t bytes);

/* Leave the reply as {"rejected": true} alone. */
void mb_reply_rejected(mb_reply *reply);

/* Answers one kind of request: fills reply->ok, or calls mb_fail and returns false. */
typedef struct mb_handler {
    const char *name;
    bool (*handle)(mb_item request, mb_reply *reply);
} mb_handler;

/* The handlers that every port has. */
bool mb_handle_hello(mb_item request, mb_reply *reply);
bool mb_handle_list(mb_item request, mb_reply *reply);
bool mb_handle_compute(mb_item request, mb_reply *reply);
bool mb_handle_measure(mb_item request, mb_reply *reply);
bool mb_handle_memory(mb_item request, mb_reply *reply);

/* Handler `i` of the core and the port together, or NULL behind the last. */
const mb_handler *mb_handler_at(size_t i);

/*
 * Answer one request: `len` bytes of payload. Returns the length of the reply in the port's frame_out, or 0 if the
 * bytes are no request (no single well-formed map with an "id"), which is not answered.
 */
size_t mb_answer(const uint8_t *payload, size_t len);

/* Bytes of the adapter's state. */
size_t mb_ctx_size(void);

/* Set the library up and measure the clocks; false if the library cannot be used. */
bool mb_probe_init(void);

/* Answer requests from the port's stream until it ends. Returns the exit status: 0, or 1 if replies cannot be sent. */
int mb_probe_run(void);

#endif
