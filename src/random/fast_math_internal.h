/* fast_math_internal.h - the constant tables of fast_math.c. A pair is one
 * number as the sum of a high part with few bits and a low part. */
#ifndef CS_RANDOM_FAST_MATH_INTERNAL_H
#define CS_RANDOM_FAST_MATH_INTERNAL_H

#define CS_FM_MANT_COUNT       1024
#define CS_FM_EXP_INT_MAX      60 /* the table covers -60..60 */
#define CS_FM_EXP_FRAC_COUNT   1025
#define CS_FM_LN_QUICK_COUNT   9
#define CS_FM_LN_PRECISE_COUNT 6
#define CS_FM_ERFINV_1_COUNT   23
#define CS_FM_ERFINV_2_COUNT   19
#define CS_FM_ERFINV_3_COUNT   17

struct cs_fm_pair {
    double hi;
    double lo;
};

/* ln(1 + i/1024), e^(i - 60), e^(i/1024). */
extern const struct cs_fm_pair cs_fm_ln_mant[CS_FM_MANT_COUNT];
extern const struct cs_fm_pair cs_fm_exp_int[2 * CS_FM_EXP_INT_MAX + 1];
extern const struct cs_fm_pair cs_fm_exp_frac[CS_FM_EXP_FRAC_COUNT];

/* Polynomials; the index is one less than the power (ln) or the power
 * (erfinv). */
extern const struct cs_fm_pair cs_fm_ln_quick[CS_FM_LN_QUICK_COUNT];
extern const struct cs_fm_pair cs_fm_ln_precise[CS_FM_LN_PRECISE_COUNT];
extern const struct cs_fm_pair cs_fm_ln2[1];
extern const double cs_fm_erfinv_1[CS_FM_ERFINV_1_COUNT];
extern const double cs_fm_erfinv_2[CS_FM_ERFINV_2_COUNT];
extern const double cs_fm_erfinv_3[CS_FM_ERFINV_3_COUNT];

#endif
