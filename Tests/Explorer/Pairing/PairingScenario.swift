/// What two people start from before they pair, or pair again.
package struct PairingScenario: Hashable, Sendable {
    /// What has become of A's records of the older pairing.
    package enum Loss: String, Hashable, Sendable, CaseIterable {
        case none = "sound"
        /// A backup was restored: its keys open and never seal.
        case restored
        /// The backup is older than the pairing: its keys are gone.
        case lost
    }

    /// An older pairing, confirmed on both sides.
    package var hasOlder = false
    /// What A has of it.
    package var loss = Loss.none
    /// Offers are bound to the contact, so that they may be fresh.
    package var isBound = true
    /// Of two pairings with equal stamps the later offer ranks higher (else the earlier).
    package var laterRanksHigher = true
    /// How far B's clock is ahead of A's, in seconds.
    package var skew: UInt64 = 0
    /// The older pairing is stamped a little ahead of A's clock.
    package var olderIsAhead = false
    /// How many offers each side makes at most (1 or 2).
    package var offersEach = 1

    /// Nothing older, sound clocks, one offer each.
    package init() {}

    /// A's wall clock, Unix seconds.
    static let start: UInt64 = 1_000_000

    /// The wall clock of a side.
    func clock(_ side: Side) -> UInt64 { Self.start + (side == .b ? skew : 0) }

    /// The stamp of the older pairing's answer.
    var olderStamp: UInt64 { olderIsAhead ? Self.start + 100 : Self.start - 86_400 }

    /// Every combination that means something, with that many offers each.
    ///
    /// A clock of 400 seconds ahead is beyond `PairingOrder.stampBound` and within what a code may differ.
    package static func all(offersEach: Int = 1) -> [PairingScenario] {
        var all: [PairingScenario] = []
        for laterRanksHigher in [true, false] {
            for skew in [UInt64(0), 200, 400] {
                var scenario = PairingScenario()
                scenario.offersEach = offersEach
                scenario.laterRanksHigher = laterRanksHigher
                scenario.skew = skew
                for isBound in [true, false] {
                    scenario.isBound = isBound
                    all.append(scenario)
                }
                scenario.hasOlder = true
                scenario.isBound = true
                for loss in Loss.allCases {
                    for olderIsAhead in [false, true] {
                        scenario.loss = loss
                        scenario.olderIsAhead = olderIsAhead
                        all.append(scenario)
                    }
                }
            }
        }
        return all
    }
}

extension PairingScenario: CustomStringConvertible {
    package var description: String {
        var words = [hasOlder ? "older pairing" : "first pairing"]
        if hasOlder { words.append("A \(loss.rawValue)") }
        if olderIsAhead { words.append("stamped ahead") }
        if !isBound { words.append("unbound") }
        if skew > 0 { words.append("B \(skew) s ahead") }
        words.append(laterRanksHigher ? "later ranks higher" : "earlier ranks higher")
        return words.joined(separator: ", ")
    }
}
