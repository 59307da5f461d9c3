/// One of the two people. A has the lower PeerID, so of two attempts with equal number A's ranks higher.
public enum Side: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case a = 0
    case b = 1

    /// The other one.
    public var other: Side { self == .a ? .b : .a }

    /// `A` or `B`.
    public var description: String { self == .a ? "A" : "B" }
}
