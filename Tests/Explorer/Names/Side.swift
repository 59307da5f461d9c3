/// One of the two people.
///
/// A has the lower PeerID: of two attempts with equal number A's ranks higher.
package enum Side: UInt8, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case a = 0
    case b = 1

    /// The other one.
    package var other: Side { self == .a ? .b : .a }

    /// `A` or `B`.
    package var description: String { self == .a ? "A" : "B" }
}
