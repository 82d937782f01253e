"""A clock and a pause that need no GIL."""

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
    static void hm_pause(double seconds) {
        if (seconds > 0) Sleep((DWORD)(1000 * seconds + 1)); else SwitchToThread();
    }
    #else
    #include <sched.h>
    #include <time.h>
    static double hm_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    static void hm_pause(double seconds) {
        struct timespec t;
        if (seconds > 0) {      /* less than one */
            t.tv_sec = 0;
            t.tv_nsec = (long)(1e9 * seconds);
            nanosleep(&t, NULL);
        } else
            sched_yield();
    }
    #endif
    """
    # Seconds since some moment; never goes back.
    double now "hm_now"() noexcept nogil
    # Let others go first for so long, less than a second; 0 = only if anybody waits.
    void pause "hm_pause"(double seconds) noexcept nogil
