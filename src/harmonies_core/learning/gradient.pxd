"""How the network learns from samples: gradients and steps of Adam."""

from harmonies_core.learning.samples cimport Sample
from harmonies_core.values.parameters cimport Net

cdef void forward(
    const Net* net, const Sample* x, float* h1, float* h2, float* out) noexcept nogil
cdef double add_gradient(const Net* net, const Sample* x, float* grad) noexcept nogil
cdef void adam_step(
    Net* net, Net* first, Net* second, const float* grad, double scale, long step, double rate,
    double shrink
) noexcept nogil
cdef void average(Net* mean, const Net* net, double keep) noexcept nogil
