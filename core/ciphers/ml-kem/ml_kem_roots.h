/*
 * 17^(2 BitRev7(i) + 1) R modulo q, R = 2^16, i from 0 to 63 (FIPS 203, appendix A): for products,
 * and the last layer of the transform in C and on AVR. For the assembler, too.
 */
#ifndef MOTE_ML_KEM_ROOTS_H
#define MOTE_ML_KEM_ROOTS_H

// clang-format off
#define MOTE_ML_KEM_ROOTS \
    -1103, 430, 555, 843, -1251, 871, 1550, 105, 422, 587, 177, -235, \
    -291, -460, 1574, 1653, -246, 778, 1159, -147, -777, 1483, -602, 1119, \
    -1590, 644, -872, 349, 418, 329, -156, -75, 817, 1097, 603, 610, \
    1322, -1285, -1465, 384, -1215, -136, 1218, -1335, -874, 220, -1187, -1659, \
    -1185, -1530, -1278, 794, -1510, -854, -870, 478, -108, -308, 996, 991, \
    958, -1460, 1522, 1628
// clang-format on

#endif
