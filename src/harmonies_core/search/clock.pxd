"""A clock that can be read without the GIL."""

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static double hm_now(void) {
        LARGE_INTEGER count, rate;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&rate);
        return (double)count.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double hm_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    #endif
    """
    # Seconds since some moment; never goes back.
    double now "hm_now"() noexcept nogil
