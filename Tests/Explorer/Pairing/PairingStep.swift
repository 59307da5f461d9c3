/// One step of one side towards a pairing.
package struct PairingStep: Hashable, Sendable, CustomStringConvertible {
    /// What a side does.
    package enum Act: String, Hashable, Sendable {
        case offer, answer, show, take, send, read
    }

    /// Who.
    package let side: Side
    /// What.
    package let act: Act
    /// Which pairing.
    package let number: Int
    /// The code never got out: a crash after the commit.
    package var isLost = false

    package var description: String { "\(side).\(act.rawValue)(\(number))\(isLost ? " lost" : "")" }
}
