internal import Glibc

/// A deadline on the monotonic clock: setting the system time does not move it.
package struct Deadline {
    private let end: Int64

    package init(seconds: Int) {
        end = Self.milliseconds() + Int64(seconds) * 1_000
    }

    /// The milliseconds left, for poll(2); 0 after the deadline.
    package var remaining: Int32 {
        Int32(clamping: max(0, end - Self.milliseconds()))
    }

    private static func milliseconds() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
