internal import HSIP

/// One of the two ends, and the number that its next one-time key gets.
package struct NameParty: RotationParty, Sendable {
    /// Who I am.
    package let side: Side
    /// Tells the next one-time key from those that are known already (0...3).
    package let copy: UInt8

    /// Names one end.
    package init(_ side: Side, copy: UInt8 = 0) {
        self.side = side
        self.copy = copy
    }

    package var isLower: Bool { side == .a }
}
