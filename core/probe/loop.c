#include "clocks.h"
#include "probe.h"
#include "wire.h"

size_t mb_ctx_size(const mb_scheme *scheme)
{
    return mb_the_adapter.state_size != NULL ? mb_the_adapter.state_size(scheme)
                                             : mb_the_adapter.ctx_size;
}

bool mb_probe_init(void)
{
    if (!mb_port_init(mb_ctx_size(NULL)) || mb_the_adapter.init() != MB_OK)
        return false;
    mb_clocks_init();
    return true;
}

int mb_probe_run(void)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_receiver receiver;
    size_t got;
    mb_receiver_init(&receiver, buffers->frame_in, buffers->frame_cap);
    while ((got = mb_port_read(buffers->chunk, buffers->chunk_cap)) > 0) {
        for (size_t i = 0; i < got; i++) {
            if (!mb_receiver_take(&receiver, buffers->chunk[i]))
                continue;
            size_t len = mb_answer(buffers->frame_in, receiver.payload_len);
            if (len > 0 &&
                !(mb_frame_send(mb_port_write, buffers->frame_out, len) && mb_port_flush()))
                return 1;
        }
    }
    return 0;
}
