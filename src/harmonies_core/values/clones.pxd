"""HM_CLONES: marks a C function that is compiled for wide vectors as well, chosen at run time."""

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
    #define HM_CLONES __attribute__((target_clones("avx2", "default")))
    #else
    #define HM_CLONES
    #endif
    """
