internal import Glibc

/// Seconds of a clock that cannot be set and that goes on while the machine sleeps.
enum BootTime {
    static func now() -> UInt64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .max }
        return UInt64(clamping: time.tv_sec)
    }
}

/// Seconds of the wall clock, since 1970.
enum WallTime {
    static func now() -> UInt64 { UInt64(clamping: time(nil)) }

    /// The same in milliseconds.
    static func milliseconds() -> UInt64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return UInt64(clamping: time.tv_sec) * 1_000 + UInt64(clamping: time.tv_nsec / 1_000_000)
    }
}
