"""A network in training: parameters, moments of Adam, replay memory and generator."""

from libc.math cimport isfinite, sqrt
from libc.stdint cimport int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from harmonies_core.learning.gradient cimport adam_step, add_gradient, average
from harmonies_core.learning.samples cimport MAX_LIST, Sample
from harmonies_core.learning.selfplay cimport Games
from harmonies_core.rng cimport Rng, rng_next, rng_stream
from harmonies_core.values.features cimport FEATURE_SET, N_FEATURES
from harmonies_core.values.parameters cimport (
    HEAD, HEADS, N_PARAMETERS, P_B1, P_B2, P_B3, P_HEADS, P_W2, P_W3, Net,
)

from harmonies_core.errors import WeightsError

cdef enum:
    MOST_SAMPLES = 20_000_000
    QUICK_STEPS = 1000          # first steps, in which the mean follows more closely
    NUMBERS = 9                 # at the beginning of a state


cdef struct Training:
    Net net                     # what is trained
    Net mean                    # running mean of it: what plays
    Net first                   # Adam's moments
    Net second


cdef class Trainer:
    """One network in training.

    seed: for the first parameters and the choice of samples. capacity: samples in the replay
    memory, 1 to 20 million, each of `SAMPLE_BYTES` bytes. Raises ValueError, MemoryError.
    """

    cdef Training* x
    cdef float* grad
    cdef Sample* memory
    cdef Rng rng
    cdef readonly int capacity
    cdef readonly int filled        # samples in the memory
    cdef int next                   # where the next one goes
    cdef readonly long steps        # of Adam so far

    def __cinit__(self, uint64_t seed=0, int capacity=300_000):
        if not 1 <= capacity <= MOST_SAMPLES:
            raise ValueError(f"capacity: {capacity} is not a number from 1 to {MOST_SAMPLES}")
        self.x = <Training*>calloc(1, sizeof(Training))
        self.grad = <float*>calloc(N_PARAMETERS, sizeof(float))
        self.memory = <Sample*>calloc(capacity, sizeof(Sample))
        if self.x == NULL or self.grad == NULL or self.memory == NULL:
            raise MemoryError
        self.capacity = capacity
        self.rng = rng_stream(seed, 1)
        self.start()

    def __dealloc__(self):
        free(self.x)
        free(self.grad)
        free(self.memory)

    cdef float noise(self) noexcept nogil:
        """Roughly normal, deviation 1."""
        cdef float total = 0
        cdef int _
        for _ in range(12):
            total += <float>(rng_next(&self.rng) >> 40) / <float>(1 << 24)
        return total - 6

    cdef void start(self) noexcept nogil:
        """Parameters to begin with; the biases expect 40 points to come, give or take 10."""
        cdef float* p = &self.x.net.p[0]
        cdef int i
        for i in range(P_B1):
            p[i] = <float>0.08 * self.noise()
        p += P_HEADS
        for i in range(P_W2, P_B2):
            p[i] = <float>0.18 * self.noise()
        for i in range(P_W3, P_B3):
            p[i] = <float>0.1 * self.noise()
        p[P_B3] = 4
        p[P_B3 + 1] = 1
        # All heads are the same head at first.
        for i in range(1, HEADS):
            memcpy(p + i * HEAD, p, HEAD * sizeof(float))
        self.x.mean = self.x.net

    def remember(self, Games games not None):
        """Put the samples of these games into the memory, in the place of the oldest."""
        cdef int i
        for i in range(games.n):
            self.memory[self.next] = games.moment[i].sample
            self.next = (self.next + 1) % self.capacity
            if self.filled < self.capacity:
                self.filled += 1

    def learn(self, int steps, int batch=256, double rate=1e-3, double averaging=0.999,
              double shrink=0):
        """Steps of Adam on batches drawn from the memory; the root mean square error in points.

        averaging: share of the running mean that a step keeps. shrink: weight decay. Raises
        ValueError if the memory is empty or a number makes no sense, ArithmeticError if the
        network is lost to infinity.
        """
        cdef int _
        cdef double loss = 0
        if self.filled == 0:
            raise ValueError("there is nothing to learn from: the memory is empty")
        for name, value, least, most in (
                ("steps", steps, 1, 10_000_000), ("batch", batch, 1, 65536),
                ("rate", rate, 0, 1), ("averaging", averaging, 0, 1),
                ("shrink", shrink, 0, 100)):
            if not least <= value <= most:
                raise ValueError(f"{name}: {value} is not a number from {least} to {most}")
        with nogil:
            for _ in range(steps):
                memset(self.grad, 0, N_PARAMETERS * sizeof(float))
                for _ in range(batch):
                    loss += add_gradient(
                        &self.x.net,
                        &self.memory[(rng_next(&self.rng) >> 11) % <uint64_t>self.filled],
                        self.grad)
                self.steps = self.steps + 1
                adam_step(&self.x.net, &self.x.first, &self.x.second, self.grad, 1.0 / batch,
                          self.steps, rate, shrink)
                average(&self.x.mean, &self.x.net,
                        averaging if self.steps > QUICK_STEPS else min(averaging, 0.99))
        loss = 10 * sqrt(loss / (<double>steps * batch))
        if not isfinite(loss):
            raise ArithmeticError("the network was lost: use smaller steps")
        return loss

    def weights(self):
        """The parameters that play (the running mean), as bytes in this machine's order."""
        return (<char*>&self.x.mean)[:sizeof(Net)]

    def state(self):
        """Everything there is, as bytes in this machine's order."""
        cdef Py_ssize_t size = NUMBERS * sizeof(int64_t) + sizeof(Training)
        cdef int64_t head[NUMBERS]
        cdef const Sample* s
        cdef bytes made
        cdef char* at
        cdef int i
        head[:] = [FEATURE_SET, N_FEATURES, N_PARAMETERS, self.capacity, self.filled, self.next,
                   self.steps, 0, 0]
        memcpy(&head[7], &self.rng.s, sizeof(self.rng.s))
        for i in range(self.filled):
            size += sample_size(self.memory[i].n)
        made = PyBytes_FromStringAndSize(NULL, size)
        at = PyBytes_AS_STRING(made)
        memcpy(at, &head[0], sizeof(head))
        memcpy(at + sizeof(head), self.x, sizeof(Training))
        at += sizeof(head) + sizeof(Training)
        for i in range(self.filled):
            s = &self.memory[i]
            memcpy(at, s, sample_size(s.n))
            at += sample_size(s.n)
        return made

    @staticmethod
    def restore(bytes state not None):
        """The trainer that gave this state; WeightsError if none of this version can have."""
        cdef int64_t head[NUMBERS]
        cdef Py_ssize_t left = len(state) - <Py_ssize_t>(sizeof(head) + sizeof(Training))
        cdef const char* at = state
        cdef Trainer new
        cdef Sample* s
        cdef int i, j
        if left < 0:
            raise WeightsError("the state of the training is cut off")
        memcpy(&head[0], at, sizeof(head))
        if (head[0], head[1], head[2]) != (FEATURE_SET, N_FEATURES, N_PARAMETERS):
            raise WeightsError("the state of the training is that of another network")
        if not (1 <= head[3] <= MOST_SAMPLES and 0 <= head[4] <= head[3]
                and 0 <= head[5] < head[3] and 0 <= head[6]):
            raise WeightsError("the state of the training is damaged")
        new = Trainer(0, head[3])
        new.next = head[5]
        new.steps = head[6]
        memcpy(&new.rng.s, &head[7], sizeof(new.rng.s))
        memcpy(new.x, at + sizeof(head), sizeof(Training))
        at += sizeof(head) + sizeof(Training)
        for i in range(head[4]):
            s = &new.memory[i]
            if left < sample_size(0):
                raise WeightsError("the state of the training is cut off")
            memcpy(s, at, sample_size(0))
            if s.n > MAX_LIST or left < sample_size(s.n):
                raise WeightsError("the state of the training is damaged")
            memcpy(s, at, sample_size(s.n))
            for j in range(s.n):
                if s.active[j] >= N_FEATURES or s.empties > 25:
                    raise WeightsError("the state of the training is damaged")
            at += sample_size(s.n)
            left -= sample_size(s.n)
        if left:
            raise WeightsError("the state of the training is too long")
        new.filled = head[4]
        return new


cdef inline Py_ssize_t sample_size(int n) noexcept nogil:
    """Bytes of a sample with n features, without what is unused."""
    return 2 * sizeof(float) + (n + 2) * sizeof(uint16_t)


SAMPLE_BYTES = sizeof(Sample)
