#include "clocks.h"
#include "probe.h"

static void put_clock(mb_map *reply, const char *key, const mb_clock *clock)
{
    mb_key(reply, key);
    if (clock->name == NULL) {
        mb_put_null(reply->writer);
        return;
    }
    mb_map map = mb_map_open(reply->writer);
    mb_map_text(&map, "name", clock->name);
    mb_map_uint(&map, "hz", clock->hz);
    mb_map_uint(&map, "resolution", clock->resolution);
    mb_key(&map, "overhead");
    mb_put_float(map.writer, clock->overhead);
    mb_map_close(&map);
}

bool mb_handle_hello(mb_item request, mb_reply *reply)
{
    const mb_buffers *buffers = mb_port_buffers();
    const mb_clocks *clocks = mb_clocks_get();
    mb_map *map = &reply->ok;
    (void)request;
    mb_map_uint(map, "proto", MB_PROTOCOL);
    mb_map_text(map, "probe", MB_PROBE_NAME);
    mb_map_text(map, "impl", mb_the_adapter.implementation);
    mb_map_text(map, "version", mb_the_adapter.version());
    mb_map_text(map, "compiler", mb_port_compiler);
    mb_map_text(map, "flags", mb_port_flags);
    mb_map_text(map, "arch", mb_port_arch);
    if (mb_device[0] != '\0') {
        mb_map_text(map, "device", mb_device);
        mb_map_bytes(map, "image", mb_image, MB_IMAGE_BYTES);
    }
    if (mb_the_adapter.cpu_features != NULL && mb_the_adapter.cpu_features() != NULL)
        mb_map_text(map, "cpu_features", mb_the_adapter.cpu_features());
    put_clock(map, "clock", &clocks->clock);
    put_clock(map, "counter", &clocks->counter);
    put_clock(map, "cpu", &clocks->cpu);
    mb_map_uint(map, "max_frame", buffers->frame_cap);
    mb_map_uint(map, "max_data", buffers->data_cap);
    mb_key(map, "does");
    size_t n = 0;
    while (mb_handler_at(n) != NULL)
        n++;
    mb_put_array(map->writer, n);
    for (size_t i = 0; i < n; i++)
        mb_put_text(map->writer, mb_handler_at(i)->name);
    return true;
}
