internal import Glibc

/// The wall clock, as the store wants it.
package enum SystemTime {
    /// Milliseconds of Unix time.
    package static let milliseconds: @Sendable () -> UInt64 = {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
    }

    /// Seconds of Unix time.
    package static var seconds: Int64 { Int64(milliseconds() / 1_000) }
}
