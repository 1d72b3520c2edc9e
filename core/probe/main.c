#include "probe.h"

int main(void)
{
    return mb_probe_init() ? mb_probe_run() : 1;
}
