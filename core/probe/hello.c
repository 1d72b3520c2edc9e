#include "clocks.h"
#include "probe.h"

static void put_clock(mb_map *reply, mb_text key, const mb_clock *clock)
{
    mb_key(reply, key);
    if (clock->name == NULL) {
        mb_put_null(reply->writer);
        return;
    }
    mb_map map = mb_map_open(reply->writer);
    mb_map_text(&map, MB_TEXT("name"), clock->name);
    mb_map_uint(&map, MB_TEXT("hz"), clock->hz);
    mb_map_uint(&map, MB_TEXT("resolution"), clock->resolution);
    mb_key(&map, MB_TEXT("overhead"));
    mb_put_float(map.writer, clock->overhead);
    mb_map_close(&map);
}

bool mb_handle_hello(mb_item request, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    mb_clocks clocks;
    (void)request;
    const size_t lacks = mb_clocks_measure(&clocks);
    if (lacks > 0)
        return mb_fail_lacks(reply, MB_TEXT("bytes of RAM that are missing"), lacks);
    mb_map *map = mb_reply_begin(reply);
    mb_map_uint(map, MB_TEXT("proto"), MB_PROTOCOL);
    mb_map_text(map, MB_TEXT("probe"), MB_TEXT(MB_PROBE_NAME));
    mb_map_words(map, MB_TEXT("impl"), mb_the_adapter.implementation);
    mb_map_words(map, MB_TEXT("version"), mb_the_adapter.version());
    mb_map_text(map, MB_TEXT("compiler"), mb_port_compiler);
    mb_map_text(map, MB_TEXT("flags"), mb_port_flags);
    mb_map_text(map, MB_TEXT("arch"), mb_port_arch);
    if (mb_device[0] != '\0') {
        mb_map_text(map, MB_TEXT("device"), mb_device);
        uint8_t image[MB_IMAGE_BYTES];
        for (size_t i = 0; i < sizeof image; i++)
            image[i] = mb_image[i];
        mb_map_bytes(map, MB_TEXT("image"), image, sizeof image);
    }
    if (mb_the_adapter.cpu_features != NULL && mb_the_adapter.cpu_features() != NULL)
        mb_map_words(map, MB_TEXT("cpu_features"), mb_the_adapter.cpu_features());
    put_clock(map, MB_TEXT("clock"), &clocks.clock);
    put_clock(map, MB_TEXT("counter"), &clocks.counter);
    put_clock(map, MB_TEXT("cpu"), &clocks.cpu);
#if MB_STREAMING
    if (clocks.loop >= 0) {
        mb_key(map, MB_TEXT("loop"));
        mb_put_float(map->writer, clocks.loop);
    }
#endif
    mb_map_uint(map, MB_TEXT("max_frame"), buffers->frame_cap);
    mb_map_uint(map, MB_TEXT("max_data"), buffers->data_cap);
    mb_key(map, MB_TEXT("does"));
    size_t n = 0;
    while (mb_handler_at(n) != NULL)
        n++;
    mb_put_array(map->writer, n);
    for (size_t i = 0; i < n; i++)
        mb_put_text(map->writer, mb_handler_at(i)->name);
    return true;
}
