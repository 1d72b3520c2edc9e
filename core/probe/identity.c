/* Which firmware this is. A program of a host has a path instead, and says nothing here. */
#include "probe.h"

#ifdef MOTEBENCH_IMAGE
const char mb_device[] = MOTEBENCH_DEVICE;
const uint8_t mb_image[MB_IMAGE_BYTES] = {MOTEBENCH_IMAGE};
#else
const char mb_device[] = "";
const uint8_t mb_image[MB_IMAGE_BYTES] = {0};
#endif
