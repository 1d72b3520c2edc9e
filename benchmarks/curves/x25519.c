/* Calls of SUPERCOP for X25519 by assembly whose function takes its pointers in another order:
 * FUNCTION(q, POINTERS), with n the scalar and p the point. */

#include "api.h"

void FUNCTION(unsigned char *q, const unsigned char *first, const unsigned char *second);

static const unsigned char base[32] = {9};

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    FUNCTION(q, POINTERS);
    return 0;
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    return crypto_scalarmult(q, n, base);
}
