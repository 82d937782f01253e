"""The learned value function: evaluation, and its file."""

import array
import hashlib
import json
import sys

from libc.math cimport isfinite
from libc.stdint cimport uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

cimport harmonies_core.values.clones  # noqa: F401
from harmonies_core.values.features cimport (
    FEATURE_SET, N_FEATURES, Change, Pace, View, pace_features,
)

from harmonies_core.errors import WeightsError

MAGIC = b"harmonies-weights 1"
# The kinds of games that have a network of their own.
NETWORKS = ("A", "A spirits", "B", "B spirits")
OLD_NETWORKS = ["A", "B"]

# Sums run over rows in a fixed order and vectors hold different units, so that every machine
# adds the same numbers in the same order.
cdef extern from *:
    """
    #include <stdint.h>
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
    #define HM_SUB(a, b) ((a) -= (b))
    #define HM_ADD_TIMES(a, x, b) ((a) += (x) * (b))
    #else
    typedef struct { float f[8]; } hm_v8;
    #define HM_ADD(a, b) do { const hm_v8* hm_b = &(b); \
        for (int j = 0; j < 8; j++) (a).f[j] += hm_b->f[j]; } while (0)
    #define HM_SUB(a, b) do { const hm_v8* hm_b = &(b); \
        for (int j = 0; j < 8; j++) (a).f[j] -= hm_b->f[j]; } while (0)
    #define HM_ADD_TIMES(a, x, b) do { const hm_v8* hm_b = &(b); \
        for (int j = 0; j < 8; j++) (a).f[j] += (x) * hm_b->f[j]; } while (0)
    #endif

    HM_CLONES
    static void hm_change_rows(float* HM_RESTRICT acc, const float* HM_RESTRICT w,
                               const uint16_t* HM_RESTRICT minus, int n_minus,
                               const uint16_t* HM_RESTRICT plus, int n_plus) {
        int i;
        hm_v8* sum = (hm_v8*)acc;
        hm_v8 a0 = sum[0], a1 = sum[1], a2 = sum[2], a3 = sum[3];
        hm_v8 a4 = sum[4], a5 = sum[5], a6 = sum[6], a7 = sum[7];
        for (i = 0; i < n_minus; i++) {
            const hm_v8* row = (const hm_v8*)(w + (long)minus[i] * HM_H1);
            HM_SUB(a0, row[0]); HM_SUB(a1, row[1]); HM_SUB(a2, row[2]); HM_SUB(a3, row[3]);
            HM_SUB(a4, row[4]); HM_SUB(a5, row[5]); HM_SUB(a6, row[6]); HM_SUB(a7, row[7]);
        }
        for (i = 0; i < n_plus; i++) {
            const hm_v8* row = (const hm_v8*)(w + (long)plus[i] * HM_H1);
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
        hm_v8 g0, g1, g2, g3;
        float a[HM_H1];
        float h[HM_H2];
        float y[2][8];
        for (i = 0; i < HM_H1; i++) {
            float x = acc[i], low = 0.1f * x;
            a[i] = x > low ? x : low;
        }
        /* Two sets of sums, so that one addition need not wait for the one before. */
        g0 = h0; HM_SUB(g0, h0); g1 = g0; g2 = g0; g3 = g0;
        for (i = 0; i < HM_H1; i += 2) {
            const hm_v8* row = (const hm_v8*)(w2 + i * HM_H2);
            float x = a[i], z = a[i + 1];
            HM_ADD_TIMES(h0, x, row[0]); HM_ADD_TIMES(h1, x, row[1]);
            HM_ADD_TIMES(h2, x, row[2]); HM_ADD_TIMES(h3, x, row[3]);
            HM_ADD_TIMES(g0, z, row[4]); HM_ADD_TIMES(g1, z, row[5]);
            HM_ADD_TIMES(g2, z, row[6]); HM_ADD_TIMES(g3, z, row[7]);
        }
        HM_ADD(h0, g0); HM_ADD(h1, g1); HM_ADD(h2, g2); HM_ADD(h3, g3);
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
    void hm_change_rows(
        float* acc, const float* w, const uint16_t* minus, int n_minus, const uint16_t* plus,
        int n_plus) noexcept nogil
    void hm_layers(const float* acc, const float* w2, const float* w3, float* out) noexcept nogil


cdef void add_rows(float* acc, const float* w, const uint16_t* rows, int n) noexcept nogil:
    """Add rows of the first layer to its sums."""
    hm_change_rows(acc, w, rows, 0, rows, n)


cdef void change_rows(float* acc, const float* w, const Change* change) noexcept nogil:
    """Take rows of the first layer out of its sums and add others."""
    hm_change_rows(acc, w, &change.minus[0], change.n_minus, &change.plus[0], change.n_plus)


cdef void pace_hidden(const Net* net, const Pace* pace, Hidden* out) noexcept nogil:
    """The part of the first layer that is the same for all landscapes of a turn."""
    cdef uint16_t active[32]
    cdef int n = pace_features(pace, active)
    memcpy(&out.h[0], &net.p[P_B1], sizeof(Hidden))
    add_rows(&out.h[0], &net.p[0], active, n)


cdef void run_network(
    const Net* net, const Hidden* base, const View* v, float* out
) noexcept nogil:
    """out[0]: tens of points to come; out[1]: tens of points of mean absolute error."""
    cdef Hidden sums = base[0]
    cdef const float* head = &net.p[head_of(v.empties)]
    add_rows(&sums.h[0], &net.p[0], &v.active[0], v.n)
    hm_layers(&sums.h[0], head + P_W2, head + P_W3, out)


cdef class Weights:
    """The parameters of the networks, as read from a weights file: one for each kind of game.

    The file begins with a line of text that names the format, goes on with a line of JSON (the
    header) and ends with the parameters as little-endian 32-bit floats: those for the games of
    NETWORKS, in that order, or, in files that do not say "networks", for side A and side B, with
    and without spirits. The header names the feature set, the shape of a network, a version, the
    command that trained it and the SHA-256 of the parameters.
    """

    def __cinit__(self):
        self.net = <Net*>calloc(N_NETWORKS, sizeof(Net))
        if self.net == NULL:
            raise MemoryError
        self.source = ""
        self.header = {}

    def __dealloc__(self):
        free(self.net)

    @staticmethod
    def from_bytes(bytes data not None, str source not None="weights"):
        """Read the contents of a weights file; raises WeightsError naming `source`."""
        cdef Weights new = Weights()
        cdef int i, each
        first, _, rest = data.partition(b"\n")
        text, _, body = rest.partition(b"\n")
        if first != MAGIC:
            raise WeightsError(f"{source}: not a weights file (it does not begin with "
                               f"{MAGIC.decode()!r})")
        try:
            header = json.loads(text)
        except ValueError as problem:
            raise WeightsError(f"{source}: the header in line 2 is no JSON: {problem}") from None
        if not isinstance(header, dict):
            raise WeightsError(f"{source}: the header in line 2 is no JSON object")
        shape = [N_FEATURES, H1, HEADS, H2, 2]
        for name, wanted in (("features", FEATURE_SET), ("shape", shape)):
            if header.get(name) != wanted:
                raise WeightsError(f"{source}: made for {name} {header.get(name)!r}; this version "
                                   f"needs {wanted!r}")
        named = header.get("networks", OLD_NETWORKS)
        if named not in (OLD_NETWORKS, list(NETWORKS)):
            raise WeightsError(f"{source}: for networks {named!r}; this version needs "
                               f"{list(NETWORKS)!r}")
        if <size_t>len(body) != len(named) * sizeof(Net):
            raise WeightsError(f"{source}: {len(body)} bytes of parameters, "
                               f"{len(named) * sizeof(Net)} expected")
        if hashlib.sha256(body).hexdigest() != header.get("sha256"):
            raise WeightsError(f"{source}: damaged, its parameters do not have the hash that its "
                               "header names")
        if sys.byteorder == "big":
            floats = array.array("f", body)
            floats.byteswap()
            body = floats.tobytes()
        each = N_NETWORKS // len(named)
        for i in range(N_NETWORKS):
            memcpy(&new.net[i], <const char*>body + (i // each) * sizeof(Net), sizeof(Net))
        if not all_finite(&new.net[0].p[0], N_NETWORKS * N_PARAMETERS):
            raise WeightsError(f"{source}: some parameters are no finite numbers")
        new.source = source
        new.header = header
        return new

    def parameters(self, str side not None, bint spirits):
        """The parameters for games on a side, with spirits or without, in this machine's order."""
        cdef int i = 2 * {"A": 0, "B": 1}[side] + spirits
        return (<char*>&self.net[i])[:sizeof(Net)]


cdef bint all_finite(const float* p, int n) noexcept:
    cdef int i
    for i in range(n):
        if not isfinite(p[i]):
            return False
    return True


def pack_weights(list parameters not None, dict header not None):
    """The contents of a weights file from the parameters for each of NETWORKS."""
    if [len(each) for each in parameters] != N_NETWORKS * [sizeof(Net)]:
        raise ValueError(f"{N_NETWORKS} times {sizeof(Net)} bytes of parameters expected")
    body = b"".join(parameters)
    if sys.byteorder == "big":
        floats = array.array("f", body)
        floats.byteswap()
        body = floats.tobytes()
    whole = {**header, "features": FEATURE_SET, "shape": [N_FEATURES, H1, HEADS, H2, 2],
             "networks": list(NETWORKS), "sha256": hashlib.sha256(body).hexdigest()}
    return MAGIC + b"\n" + json.dumps(whole, sort_keys=True).encode() + b"\n" + body
