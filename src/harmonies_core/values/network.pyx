"""The learned value function: its file."""

import array
import hashlib
import json
import sys

from libc.math cimport isfinite
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from harmonies_core.values.features cimport FEATURE_SET, N_FEATURES
from harmonies_core.values.inference cimport PlayNet, round_network
from harmonies_core.values.parameters cimport H1, H2, HEADS, N_PARAMETERS, Net

from harmonies_core.errors import WeightsError

MAGIC = b"harmonies-weights 1"
# The kinds of games that have a network of their own.
NETWORKS = ("A", "A spirits", "B", "B spirits")
OLD_NETWORKS = ["A", "B"]

cdef enum:
    CACHE_LINE = 64             # bytes; a row of the first layer fills two of them


cdef class Weights:
    """The parameters of the networks, as read from a weights file: one for each kind of game.

    The file begins with a line of text that names the format, goes on with a line of JSON (the
    header) and ends with the parameters as little-endian 32-bit floats: those for the games of
    NETWORKS, in that order, or, in files that do not say "networks", for side A and side B, with
    and without spirits. The header names the feature set, the shape of a network, a version, the
    command that trained it and the SHA-256 of the parameters.
    """

    def __cinit__(self):
        self.memory = calloc(1, N_NETWORKS * (sizeof(PlayNet) + sizeof(Net)) + CACHE_LINE)
        if self.memory == NULL:
            raise MemoryError
        self.play = <PlayNet*>(
            (<uintptr_t>self.memory + CACHE_LINE - 1) // CACHE_LINE * CACHE_LINE)
        self.net = <Net*>&self.play[N_NETWORKS]
        self.source = ""
        self.header = {}

    def __dealloc__(self):
        free(self.memory)

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
        for i in range(N_NETWORKS):
            round_network(&new.net[i], &new.play[i])
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
