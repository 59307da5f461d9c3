/// What the owner said yes to for longer than once.
///
/// It lives in memory, as long as the vault is open. Moments are seconds of a clock that cannot be set and
/// that goes on while the machine sleeps.
public struct Remembered: Sendable {
    /// Most that are kept; the one that ends first makes room.
    public static let maximum = 256
    /// The longest that a yes holds, in seconds: eight hours.
    public static let longest: UInt64 = 8 * 3_600

    private var ends: [Approval: UInt64] = [:]

    /// Nothing remembered.
    public init() {}

    /// How many there are, those that have ended included.
    public var count: Int { ends.count }

    /// Keeps a yes for some seconds from now.
    public mutating func remember(_ approval: Approval, for seconds: UInt64, at now: UInt64) {
        ends = ends.filter { $0.value > now }
        if ends[approval] == nil, ends.count >= Self.maximum,
            let first = ends.min(by: { $0.value < $1.value })
        {
            ends[first.key] = nil
        }
        ends[approval] = now + min(seconds, Self.longest)
    }

    /// Whether a yes still holds.
    public func covers(_ approval: Approval, at now: UInt64) -> Bool {
        ends[approval].map { $0 > now } ?? false
    }
}
