/// A wall clock that a test sets; peers that share it may each be off by some seconds.
public final class TestClock {
    /// Unix seconds.
    public var now: UInt64

    /// A clock that stands still at `now` until it is moved.
    public init(_ now: UInt64 = 1_800_000_000) {
        self.now = now
    }

    /// Moves the clock; also backwards.
    public func advance(_ seconds: Int64) {
        now = seconds < 0 ? now - seconds.magnitude : now + seconds.magnitude
    }
}

extension Int64 {
    /// 60 seconds.
    public static let minute: Int64 = 60
    /// 3,600 seconds.
    public static let hour: Int64 = 3_600
    /// 86,400 seconds.
    public static let day: Int64 = 86_400
}
