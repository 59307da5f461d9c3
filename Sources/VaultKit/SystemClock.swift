internal import Glibc

extension Vault {
    /// The wall clock of the system, Unix seconds (clock_gettime, CLOCK_REALTIME).
    public static let systemClock: @Sendable () -> UInt64 = {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return UInt64(max(0, time.tv_sec))
    }
}
