"""What a searcher maximises, and chances of winning from expected points."""

cdef enum:
    FOR_WIN = 0
    FOR_POINTS = 1


cdef struct Outlook:
    # What is expected of a position, by seat.
    double points[4]        # final points
    double sd[4]            # their standard deviation
    double win[3]           # win, draw, loss for one seat

cdef double sd_of_error(double error) noexcept nogil
cdef double win_chance(const double* value, const double* sd, int n, int seat) noexcept nogil
cdef void set_chances(Outlook* x, int n, int seat, int turn, bint chosen) noexcept nogil
