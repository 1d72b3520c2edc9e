/* Identity of the firmware. A program of a host has a path instead, and leaves this empty. */
#include "probe.h"

#ifdef MOTEBENCH_IMAGE
const char MOTE_FLASH mb_device[] = MOTEBENCH_DEVICE;
const uint8_t MOTE_FLASH mb_image[MB_IMAGE_BYTES] = {MOTEBENCH_IMAGE};
#else
const char MOTE_FLASH mb_device[] = "";
const uint8_t MOTE_FLASH mb_image[MB_IMAGE_BYTES] = {0};
#endif
