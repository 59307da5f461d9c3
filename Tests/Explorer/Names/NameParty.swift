public import HSIP

/// One of the two ends, and the number that its next one-time key gets.
public struct NameParty: RotationParty, Sendable {
    /// Who I am.
    public let side: Side
    /// Tells the next one-time key from those that are known already (0...3).
    public let copy: UInt8

    /// Names one end.
    public init(_ side: Side, copy: UInt8 = 0) {
        self.side = side
        self.copy = copy
    }

    public var isLower: Bool { side == .a }
}
