"""How the network learns from samples: gradients and steps of Adam.

The first output learns the target by its squared error, the second the distance between the
first and what came in the end, with a tenth of the weight.
"""

from libc.math cimport fabsf, pow, sqrtf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from harmonies_core.learning.samples cimport MAX_LIST, NO_FINAL, Sample
from harmonies_core.values.features cimport N_FEATURES
from harmonies_core.values.parameters cimport (
    H1, H2, N_PARAMETERS, P_B1, P_B2, P_B3, P_W2, P_W3, Net, head_of,
)


cdef inline float leaky(float x) noexcept nogil:
    return x if x > 0 else <float>0.1 * x


cdef void forward(
    const Net* net, const Sample* x, float* h1, float* h2, float* out
) noexcept nogil:
    """Sums of both layers before the activation, and the outputs in tens of points."""
    cdef const float* p = &net.p[0]
    cdef const float* row
    cdef float a
    cdef int i, k
    memcpy(h1, &p[P_B1], H1 * sizeof(float))
    for i in range(x.n):
        row = &p[x.active[i] * H1]
        for k in range(H1):
            h1[k] += row[k]
    p += head_of(x.empties)
    memcpy(h2, &p[P_B2], H2 * sizeof(float))
    for i in range(H1):
        a = leaky(h1[i])
        row = &p[P_W2 + i * H2]
        for k in range(H2):
            h2[k] += a * row[k]
    out[0] = p[P_B3]
    out[1] = p[P_B3 + 1]
    for k in range(H2):
        a = leaky(h2[k])
        out[0] += a * p[P_W3 + k]
        out[1] += a * p[P_W3 + H2 + k]


cdef double add_gradient(const Net* net, const Sample* x, float* grad) noexcept nogil:
    """Add one sample's gradient; its squared error in square tens of points."""
    cdef float h1[H1]
    cdef float h2[H2]
    cdef float d1[H1]
    cdef float d2[H2]
    cdef float out[2]
    cdef const float* p = &net.p[head_of(x.empties)]
    cdef const float* row
    cdef float* top = &grad[head_of(x.empties)]
    cdef float* g
    cdef float e0, e1, a
    cdef int i, k
    forward(net, x, h1, h2, out)
    e0 = out[0] - x.target
    # What was searched instead of played has no end that the error could be learned from.
    e1 = <float>0.1 * (out[1] - fabsf(out[0] - x.final)) if x.final > NO_FINAL else <float>0
    top[P_B3] += e0
    top[P_B3 + 1] += e1
    for k in range(H2):
        a = leaky(h2[k])
        top[P_W3 + k] += e0 * a
        top[P_W3 + H2 + k] += e1 * a
        d2[k] = e0 * p[P_W3 + k] + e1 * p[P_W3 + H2 + k]
        if h2[k] <= 0:
            d2[k] *= <float>0.1
        top[P_B2 + k] += d2[k]
    for i in range(H1):
        a = leaky(h1[i])
        row = &p[P_W2 + i * H2]
        g = &top[P_W2 + i * H2]
        d1[i] = 0
        for k in range(H2):
            d1[i] += row[k] * d2[k]
        for k in range(H2):
            g[k] += a * d2[k]
        if h1[i] <= 0:
            d1[i] *= <float>0.1
        grad[P_B1 + i] += d1[i]
    for i in range(x.n):
        g = &grad[x.active[i] * H1]
        for k in range(H1):
            g[k] += d1[k]
    return e0 * e0


cdef void adam_step(
    Net* net, Net* first, Net* second, const float* grad, double scale, long step, double rate,
    double shrink
) noexcept nogil:
    """Step number `step`, from 1, down the gradient times `scale`.

    Apart from that every parameter shrinks by the share `rate` times `shrink` (decoupled weight
    decay, Loshchilov and Hutter, arXiv 1711.05101): else features that are seldom seen are
    learned by heart.
    """
    cdef float* p = &net.p[0]
    cdef float* m = &first.p[0]
    cdef float* v = &second.p[0]
    cdef float size = <float>(rate / (1 - pow(0.9, step)))
    cdef float c2 = <float>(1 / (1 - pow(0.999, step)))
    cdef float by = <float>scale, less = <float>(rate * shrink), g
    cdef int i
    for i in range(N_PARAMETERS):
        g = grad[i] * by
        m[i] = <float>0.9 * m[i] + <float>0.1 * g
        v[i] = <float>0.999 * v[i] + <float>0.001 * g * g
        p[i] -= size * m[i] / (sqrtf(v[i] * c2) + <float>1e-7) + less * p[i]


cdef void average(Net* mean, const Net* net, double keep) noexcept nogil:
    """Move a running mean towards the network."""
    cdef float old = <float>keep, new = <float>(1 - keep)
    cdef int i
    for i in range(N_PARAMETERS):
        mean.p[i] = old * mean.p[i] + new * net.p[i]


def sample_gradient(
    bytes parameters not None, active not None, int empties, double target, double final
):
    """The outputs for one sample, and the gradient of its loss as 32-bit floats in bytes.

    Everything in tens of points. The loss is half the squared error of the first output and a
    twentieth of that of the second, whose target counts as given. For looking at; training does
    not come by here.
    """
    cdef Net* nets = <Net*>calloc(2, sizeof(Net))
    cdef Sample x
    cdef float h1[H1]
    cdef float h2[H2]
    cdef float out[2]
    cdef int i
    if nets == NULL:
        raise MemoryError
    try:
        if len(parameters) != sizeof(Net) or len(active) > MAX_LIST:
            raise ValueError("not the parameters of this network, or too many features")
        memcpy(&nets[0], <const char*>parameters, sizeof(Net))
        x.n = len(active)
        for i in range(x.n):
            if not 0 <= active[i] < N_FEATURES:
                raise ValueError(f"no feature {active[i]}")
            x.active[i] = active[i]
        if not 0 <= empties <= 25:
            raise ValueError(f"empties: {empties} is not a number from 0 to 25")
        x.empties = empties
        x.target = target
        x.final = final
        forward(&nets[0], &x, h1, h2, out)
        add_gradient(&nets[0], &x, &nets[1].p[0])
        return (out[0], out[1]), (<char*>&nets[1])[:sizeof(Net)]
    finally:
        free(nets)
