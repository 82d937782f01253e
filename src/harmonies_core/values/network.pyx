"""The learned value function: evaluation, and its file."""

import hashlib
import json

from libc.stdint cimport uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from harmonies_core.values.features cimport (
    FEATURE_SET, N_FEATURES, Pace, View, pace_features,
)

from harmonies_core.errors import HarmoniesError

# Sums run over rows in a fixed order and vectors hold different units, so that every machine
# adds the same numbers in the same order.
cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
    #define HM_CLONES __attribute__((target_clones("avx2", "default")))
    #else
    #define HM_CLONES
    #endif
    #if defined(_MSC_VER)
    #define HM_RESTRICT __restrict
    #else
    #define HM_RESTRICT __restrict__
    #endif
    #define HM_H1 64
    #define HM_H2 32

    /* Eight floats that are added and multiplied as one; compilers without vector types get
       loops over the same lanes, hence the same sums. */
    #if defined(__GNUC__)
    typedef float hm_v8 __attribute__((vector_size(32), aligned(4), may_alias));
    #define HM_ADD(a, b) ((a) += (b))
    #define HM_ADD_TIMES(a, x, b) ((a) += (x) * (b))
    #else
    typedef struct { float f[8]; } hm_v8;
    #define HM_ADD(a, b) do { const hm_v8* hm_b = &(b); \
        for (int j = 0; j < 8; j++) (a).f[j] += hm_b->f[j]; } while (0)
    #define HM_ADD_TIMES(a, x, b) do { const hm_v8* hm_b = &(b); \
        for (int j = 0; j < 8; j++) (a).f[j] += (x) * hm_b->f[j]; } while (0)
    #endif

    HM_CLONES
    static void hm_add_rows(float* HM_RESTRICT acc, const float* HM_RESTRICT w,
                            const uint16_t* HM_RESTRICT rows, int n) {
        int i;
        hm_v8* sum = (hm_v8*)acc;
        hm_v8 a0 = sum[0], a1 = sum[1], a2 = sum[2], a3 = sum[3];
        hm_v8 a4 = sum[4], a5 = sum[5], a6 = sum[6], a7 = sum[7];
        for (i = 0; i < n; i++) {
            const hm_v8* row = (const hm_v8*)(w + (long)rows[i] * HM_H1);
            HM_ADD(a0, row[0]); HM_ADD(a1, row[1]); HM_ADD(a2, row[2]); HM_ADD(a3, row[3]);
            HM_ADD(a4, row[4]); HM_ADD(a5, row[5]); HM_ADD(a6, row[6]); HM_ADD(a7, row[7]);
        }
        sum[0] = a0; sum[1] = a1; sum[2] = a2; sum[3] = a3;
        sum[4] = a4; sum[5] = a5; sum[6] = a6; sum[7] = a7;
    }

    HM_CLONES
    static void hm_layers(const float* HM_RESTRICT acc, const float* HM_RESTRICT w2,
                          const float* HM_RESTRICT w3, float* HM_RESTRICT out) {
        int i, k;
        const hm_v8* b2 = (const hm_v8*)(w2 + HM_H1 * HM_H2);
        hm_v8 h0 = b2[0], h1 = b2[1], h2 = b2[2], h3 = b2[3];
        float h[HM_H2];
        float y[2][8];
        for (i = 0; i < HM_H1; i++) {
            const hm_v8* row = (const hm_v8*)(w2 + i * HM_H2);
            float x = acc[i];
            x = x > 0 ? x : 0.1f * x;
            HM_ADD_TIMES(h0, x, row[0]); HM_ADD_TIMES(h1, x, row[1]);
            HM_ADD_TIMES(h2, x, row[2]); HM_ADD_TIMES(h3, x, row[3]);
        }
        ((hm_v8*)h)[0] = h0; ((hm_v8*)h)[1] = h1; ((hm_v8*)h)[2] = h2; ((hm_v8*)h)[3] = h3;
        for (k = 0; k < 8; k++) y[0][k] = y[1][k] = 0;
        for (i = 0; i < HM_H2; i += 8) {
            for (k = 0; k < 8; k++) {
                float x = h[i + k] > 0 ? h[i + k] : 0.1f * h[i + k];
                y[0][k] += x * w3[i + k];
                y[1][k] += x * w3[HM_H2 + i + k];
            }
        }
        for (i = 0; i < 2; i++)
            out[i] = w3[2 * HM_H2 + i] + (((y[i][0] + y[i][4]) + (y[i][1] + y[i][5]))
                                          + ((y[i][2] + y[i][6]) + (y[i][3] + y[i][7])));
    }
    """
    void hm_add_rows(float* acc, const float* w, const uint16_t* rows, int n) noexcept nogil
    void hm_layers(const float* acc, const float* w2, const float* w3, float* out) noexcept nogil


cdef void add_rows(float* acc, const float* w, const uint16_t* rows, int n) noexcept nogil:
    """Add rows of the first layer to its sums."""
    hm_add_rows(acc, w, rows, n)


cdef void pace_hidden(const Net* net, const Pace* pace, Hidden* out) noexcept nogil:
    """The part of the first layer that is the same for all landscapes of a turn."""
    cdef uint16_t active[32]
    cdef int n = pace_features(pace, active)
    memcpy(&out.h[0], &net.p[P_B1], sizeof(Hidden))
    hm_add_rows(&out.h[0], &net.p[0], active, n)


cdef void run_network(
    const Net* net, const Hidden* base, const View* v, float* out
) noexcept nogil:
    """out[0]: tens of points to come; out[1]: tens of points of mean absolute error."""
    cdef Hidden sums = base[0]
    hm_add_rows(&sums.h[0], &net.p[0], &v.active[0], v.n)
    hm_layers(&sums.h[0], &net.p[P_W2], &net.p[P_W3], out)


cdef class Weights:
    """The parameters for both sides, as read from a weights file.

    The file begins with a line of text that names the format, goes on with a line of JSON (the
    header) and ends with the parameters of side A and side B as little-endian 32-bit floats.
    """

    def __cinit__(self):
        self.net = <Net*>calloc(2, sizeof(Net))
        if self.net == NULL:
            raise MemoryError
        self.source = ""
        self.header = {}

    def __dealloc__(self):
        free(self.net)
