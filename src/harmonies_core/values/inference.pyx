"""A network as it plays: its parameters rounded to whole numbers.

The first two layers work with 16-bit numbers, as chess engines do (NNUE: Yu Nasu, 2018): twice as
many fit into a vector and into the cache as of floats, and sums of whole numbers are the same in
whatever order they are added.
"""

from libc.math cimport fabsf, floorf
from libc.stdint cimport int16_t, int32_t, uint16_t
from libc.string cimport memcpy

cimport harmonies_core.values.clones  # noqa: F401
from harmonies_core.values.features cimport N_FEATURES, Change, Pace, View, pace_features
from harmonies_core.values.parameters cimport (
    H1, H2, HEAD, HEADS, P_B1, P_B2, P_B3, P_HEADS, P_W2, P_W3, Net, part_of,
)

cdef enum:
    FINEST_1 = 2048             # what 1 becomes in the first layer, where weights are small enough
    FINEST_2 = 4096             # in the second
    LARGEST_ROWS = 32           # a sum of so many of the largest weights has to fit


cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #define HM_RESTRICT __restrict
    #else
    #define HM_RESTRICT __restrict__
    #endif
    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    #endif
    #define HM_H1 64
    #define HM_H2 32
    #define HM_TENTH 6554       /* of 65,536: the slope of the activation below 0 */

    /* Sixteen numbers that are added as one, unsigned so that overflow is defined. */
    #if defined(__GNUC__)
    typedef uint16_t hm_u16 __attribute__((vector_size(32), aligned(2), may_alias));
    #define HM_LANES 16
    #else
    typedef uint16_t hm_u16;
    #define HM_LANES 1
    #endif
    #define HM_VECTORS (HM_H1 / HM_LANES)

    HM_CLONES
    static void hm_change_rows(int16_t* HM_RESTRICT acc, const int16_t* HM_RESTRICT w,
                               const uint16_t* HM_RESTRICT minus, int n_minus,
                               const uint16_t* HM_RESTRICT plus, int n_plus) {
        int i, k;
        hm_u16* out = (hm_u16*)acc;
        hm_u16 sum[HM_VECTORS];
        for (k = 0; k < HM_VECTORS; k++) sum[k] = out[k];
        for (i = 0; i < n_minus; i++) {
            const hm_u16* row = (const hm_u16*)(w + (long)minus[i] * HM_H1);
            for (k = 0; k < HM_VECTORS; k++) sum[k] -= row[k];
        }
        for (i = 0; i < n_plus; i++) {
            const hm_u16* row = (const hm_u16*)(w + (long)plus[i] * HM_H1);
            for (k = 0; k < HM_VECTORS; k++) sum[k] += row[k];
        }
        for (k = 0; k < HM_VECTORS; k++) out[k] = sum[k];
    }

    /* Eight sums of their own, added up in a fixed order: the same on every machine. */
    static inline void hm_third(const int32_t* HM_RESTRICT sum, float unit,
                                const float* HM_RESTRICT w, const float* HM_RESTRICT b,
                                float* HM_RESTRICT out) {
        float y[2][8];
        int i, k;
        for (k = 0; k < 8; k++) y[0][k] = y[1][k] = 0;
        for (i = 0; i < HM_H2; i += 8) {
            for (k = 0; k < 8; k++) {
                const float x = (float)sum[i + k] * unit, low = 0.1f * x;
                const float a = x > low ? x : low;
                y[0][k] += a * w[i + k];
                y[1][k] += a * w[HM_H2 + i + k];
            }
        }
        for (i = 0; i < 2; i++)
            out[i] = b[i] + (((y[i][0] + y[i][4]) + (y[i][1] + y[i][5]))
                             + ((y[i][2] + y[i][6]) + (y[i][3] + y[i][7])));
    }

    /* Sums of the second layer. Every variant gives the same numbers. */
    #if defined(__x86_64__) && defined(__GNUC__)
    __attribute__((target("avx2")))
    static void hm_upper_avx2(const int16_t* acc, const int16_t* w, const int32_t* b, float unit,
                              const float* w3, const float* b3, float* out) {
        const __m256i tenth = _mm256_set1_epi16(HM_TENTH);
        const __m256i* row = (const __m256i*)w;
        const __m256i* bias = (const __m256i*)b;
        const __m256 scale = _mm256_set1_ps(unit), low = _mm256_set1_ps(0.1f);
        __m256i s[4];
        __m256 y0 = _mm256_setzero_ps(), y1 = y0;
        __m128 half;
        float y[4];
        int32_t pair[HM_H1 / 2];
        int i, k;
        for (i = 0; i < 4; i++) {
            const __m256i x = _mm256_loadu_si256((const __m256i*)acc + i);
            _mm256_storeu_si256((__m256i*)pair + i,
                                _mm256_max_epi16(x, _mm256_mulhi_epi16(x, tenth)));
            s[i] = _mm256_loadu_si256(bias + i);
        }
        for (i = 0; i < HM_H1 / 2; i++, row += 4) {
            const __m256i x = _mm256_set1_epi32(pair[i]);
            for (k = 0; k < 4; k++)
                s[k] = _mm256_add_epi32(
                    s[k], _mm256_madd_epi16(x, _mm256_loadu_si256(row + k)));
        }
        for (i = 0; i < 4; i++) {
            const __m256 x = _mm256_mul_ps(_mm256_cvtepi32_ps(s[i]), scale);
            const __m256 a = _mm256_max_ps(x, _mm256_mul_ps(low, x));
            y0 = _mm256_add_ps(y0, _mm256_mul_ps(a, _mm256_loadu_ps(w3 + 8 * i)));
            y1 = _mm256_add_ps(y1, _mm256_mul_ps(a, _mm256_loadu_ps(w3 + HM_H2 + 8 * i)));
        }
        half = _mm_add_ps(_mm256_castps256_ps128(y0), _mm256_extractf128_ps(y0, 1));
        _mm_storeu_ps(y, half);
        out[0] = b3[0] + ((y[0] + y[1]) + (y[2] + y[3]));
        half = _mm_add_ps(_mm256_castps256_ps128(y1), _mm256_extractf128_ps(y1, 1));
        _mm_storeu_ps(y, half);
        out[1] = b3[1] + ((y[0] + y[1]) + (y[2] + y[3]));
    }

    static void hm_upper_sse2(const int16_t* acc, const int16_t* w, const int32_t* b, float unit,
                              const float* w3, const float* b3, float* out) {
        const __m128i tenth = _mm_set1_epi16(HM_TENTH);
        const __m128i* row = (const __m128i*)w;
        __m128i s[8];
        int32_t pair[HM_H1 / 2], sum[HM_H2];
        int i, k;
        for (i = 0; i < 8; i++) {
            const __m128i x = _mm_loadu_si128((const __m128i*)acc + i);
            s[i] = _mm_loadu_si128((const __m128i*)b + i);
            _mm_storeu_si128((__m128i*)pair + i, _mm_max_epi16(x, _mm_mulhi_epi16(x, tenth)));
        }
        for (i = 0; i < HM_H1 / 2; i++, row += 8) {
            const __m128i x = _mm_set1_epi32(pair[i]);
            for (k = 0; k < 8; k++)
                s[k] = _mm_add_epi32(s[k], _mm_madd_epi16(x, _mm_loadu_si128(row + k)));
        }
        for (k = 0; k < 8; k++) _mm_storeu_si128((__m128i*)sum + k, s[k]);
        hm_third(sum, unit, w3, b3, out);
    }

    static void hm_upper(const int16_t* acc, const int16_t* w, const int32_t* b, float unit,
                         const float* w3, const float* b3, float* out) {
        if (__builtin_cpu_supports("avx2")) hm_upper_avx2(acc, w, b, unit, w3, b3, out);
        else hm_upper_sse2(acc, w, b, unit, w3, b3, out);
    }
    #else
    static void hm_upper(const int16_t* acc, const int16_t* w, const int32_t* b, float unit,
                         const float* w3, const float* b3, float* out) {
        uint32_t sum[HM_H2];
        int32_t whole[HM_H2];
        int i, k;
        for (k = 0; k < HM_H2; k++) sum[k] = (uint32_t)b[k];
        for (i = 0; i < HM_H1; i += 2) {
            /* Divided with rounding down, which shifting a negative number need not do. */
            const int x0 = acc[i], x1 = acc[i + 1];
            const int low0 = (int)(((int64_t)x0 * HM_TENTH + (1ll << 32)) / 65536) - 65536;
            const int low1 = (int)(((int64_t)x1 * HM_TENTH + (1ll << 32)) / 65536) - 65536;
            const int a0 = x0 > low0 ? x0 : low0, a1 = x1 > low1 ? x1 : low1;
            for (k = 0; k < HM_H2; k++)
                sum[k] += (uint32_t)(a0 * w[i * HM_H2 + 2 * k])
                          + (uint32_t)(a1 * w[i * HM_H2 + 2 * k + 1]);
        }
        for (k = 0; k < HM_H2; k++) whole[k] = (int32_t)sum[k];
        hm_third(whole, unit, w3, b3, out);
    }
    #endif
    """
    void hm_change_rows(
        int16_t* acc, const int16_t* w, const uint16_t* minus, int n_minus, const uint16_t* plus,
        int n_plus) noexcept nogil
    void hm_upper(
        const int16_t* acc, const int16_t* w, const int32_t* b, float unit, const float* w3,
        const float* b3, float* out) noexcept nogil


cdef float largest(const float* p, int n) noexcept nogil:
    cdef float found = 0
    cdef int i
    for i in range(n):
        found = max(found, fabsf(p[i]))
    return found


cdef float scale_for(float size, float scale, float limit) noexcept nogil:
    """The scale, halved until a number of that size times the scale is within the limit."""
    while size * scale > limit:
        scale /= 2
    return scale


cdef inline int32_t rounded(float x, float limit) noexcept nogil:
    return <int32_t>floorf(max(-limit, min(limit, x)) + <float>0.5)


cdef void round_network(const Net* net, PlayNet* out) noexcept nogil:
    """Round the parameters as finely as their sizes allow.

    The first layer can overflow where more than LARGEST_ROWS of its largest weights meet in one
    sum; learned networks come to half of that at most. What it gives then is wrong, no more.
    """
    cdef const float* p
    cdef Head* head
    cdef float first = scale_for(
        LARGEST_ROWS * largest(&net.p[0], P_HEADS), FINEST_1, 32767)
    cdef float second
    cdef int i, k, j
    for i in range(N_FEATURES * H1):
        out.w1[i] = <int16_t>rounded(net.p[i] * first, 32767)
    for i in range(H1):
        out.b1[i] = <int16_t>rounded(net.p[P_B1 + i] * first, 32767)
    for j in range(HEADS):
        p = &net.p[P_HEADS + j * HEAD]
        head = &out.head[j]
        second = scale_for(largest(&p[P_W2], H1 * H2), FINEST_2, 32767)
        for i in range(H1):
            for k in range(H2):
                head.w2[(i // 2 * H2 + k) * 2 + i % 2] = <int16_t>rounded(
                    p[P_W2 + i * H2 + k] * second, 32767)
        for k in range(H2):
            head.b2[k] = rounded(p[P_B2 + k] * first * second, <float>1e9)
        memcpy(&head.w3[0], &p[P_W3], sizeof(head.w3))
        memcpy(&head.b3[0], &p[P_B3], sizeof(head.b3))
        head.unit = 1 / (first * second)


cdef void add_rows(Hidden* sums, const PlayNet* net, const uint16_t* rows, int n) noexcept nogil:
    """Add rows of the first layer to its sums."""
    hm_change_rows(&sums.h[0], &net.w1[0], rows, 0, rows, n)


cdef void change_rows(Hidden* sums, const PlayNet* net, const Change* change) noexcept nogil:
    """Take rows of the first layer out of its sums and add others."""
    hm_change_rows(&sums.h[0], &net.w1[0], &change.minus[0], change.n_minus, &change.plus[0],
                   change.n_plus)


cdef void pace_hidden(const PlayNet* net, const Pace* pace, Hidden* out) noexcept nogil:
    """The part of the first layer that is the same for all landscapes of a turn."""
    cdef uint16_t active[32]
    cdef int n = pace_features(pace, active)
    memcpy(&out.h[0], &net.b1[0], sizeof(Hidden))
    add_rows(out, net, active, n)


cdef void run_network(
    const PlayNet* net, const Hidden* base, const View* v, float* out
) noexcept nogil:
    """out[0]: tens of points to come; out[1]: tens of points of mean absolute error."""
    cdef Hidden sums = base[0]
    cdef const Head* head = &net.head[part_of(v.empties)]
    add_rows(&sums, net, &v.active[0], v.n)
    hm_upper(&sums.h[0], &head.w2[0], &head.b2[0], head.unit, &head.w3[0], &head.b3[0], out)
