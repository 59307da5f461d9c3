/// Both sides and everything that is on its way between them.
package struct PairingWorld: Hashable, Sendable {
    var a = PairingSide()
    var b = PairingSide()
    /// Offers made; an open offer can always be shown again, so it is never lost for good.
    var offers = Numbers()
    /// Those of them that are fresh.
    var fresh = Numbers()
    /// Answers that got out.
    var answers = Numbers()
    /// Pairings under which A has sent something.
    var sentByA = Numbers()
    /// Pairings under which B has sent something.
    var sentByB = Numbers()
    /// The stamps of the answers, in seconds after A's clock, 16 bits each and the first offer's lowest.
    private var stamps: UInt64 = 0

    /// What a side knows.
    subscript(side: Side) -> PairingSide {
        get { side == .a ? a : b }
        set { if side == .a { a = newValue } else { b = newValue } }
    }

    /// Pairings under which a side has sent something.
    func sent(by side: Side) -> Numbers { side == .a ? sentByA : sentByB }

    /// A side sends something.
    mutating func send(_ number: Int, by side: Side) {
        if side == .a { sentByA.insert(number) } else { sentByB.insert(number) }
    }

    /// The stamp of the answer to an offer (1...4).
    func stamp(_ number: Int) -> UInt64 { PairingScenario.start + (stamps >> (16 * (number - 1)) & 0xFFFF) }

    /// Stamps the answer to an offer, not before A's clock.
    mutating func setStamp(_ number: Int, _ stamp: UInt64) {
        stamps |= (stamp - PairingScenario.start) << (16 * (number - 1))
    }
}
