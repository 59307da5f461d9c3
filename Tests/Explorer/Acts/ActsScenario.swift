package import HSIP

/// What a walk over the acts starts from, and how far it goes.
package struct ActsScenario: Hashable, Sendable {
    /// What has become of Alice's records of the older pairing.
    package enum Loss: String, CaseIterable, Hashable, Sendable {
        case none = "sound"
        /// A backup was restored: its keys open and never seal.
        case restored
        /// The backup is older than the pairing: its keys are gone.
        case lost
        /// Bob's are gone, too, so that every OFFER is fresh.
        case both = "and Bob lost"
    }

    /// Who there is besides Alice and Bob.
    package enum Third: Hashable, Sendable {
        case nobody
        /// Carol, who sees every code.
        case carol
        /// A second device with a copy of Alice's vault, which was restored there.
        case device
    }

    /// What it is called.
    package var name: String
    /// Alice offered and Bob answered before, and each has heard of the other.
    package var hasOlder = true
    /// Messages that each side may seal under it; one number is used.
    package var olderLimit: UInt16 = 2
    /// Messages that each side may seal under what is made during the walk.
    package var limit: UInt16 = 1
    /// What Alice has of the older pairing.
    package var loss = Loss.none
    /// See `Third`.
    package var third = Third.nobody
    /// How far Bob's clock is ahead of Alice's, in seconds.
    package var skew: UInt64 = 0
    /// The older pairing is stamped a little ahead of Alice's clock.
    package var isOlderAhead = false
    /// OFFERs are bound to the contact where there is one, so that they may be fresh.
    package var isBound = true
    /// The suite of the older pairing.
    package var olderSuite = Suite.two
    /// Whose programs are older than suite 02, and may be updated at any step.
    package var olds: Set<Int> = []
    /// The options with which OFFERs are made, besides none.
    package var options: [SuiteOption] = []
    /// A backup is put back by the program, which takes over what only grows; else only its file is.
    package var isCarried = false
    /// Replies also arrive with these faults.
    package var faults: [Fault] = []
    /// Where the clocks may be moved, in seconds after the beginning.
    package var clocks: [UInt64] = []
    /// Changes every key and with them the order of equal stamps.
    package var seed: UInt8 = 0
    /// How often each vault may do what can be done without end; what is not named is not done.
    package var bounds: [[Cost: UInt8]]

    /// Those of whom each two have to come to hear each other, whatever happened.
    var pairs: [[Int]] {
        switch third {
        case .nobody: [[0, 1]]
        case .carol: [[0, 1], [2, 0]]
        case .device: [[0, 1], [2, 1]]
        }
    }

    /// Sets a bound of one vault (0 Alice, 1 Bob, 2 the third), or of all.
    package mutating func setBound(_ cost: Cost, to count: UInt8, of who: Int? = nil) {
        for place in bounds.indices where who == nil || who == place { bounds[place][cost] = count }
    }

    /// The bounds of all vaults alike.
    init(_ name: String, _ each: [Cost: UInt8]) {
        self.name = name
        bounds = [each, each, each]
    }
}

extension ActsScenario {
    private static let hour: UInt64 = 3_600
    private static let day: UInt64 = 86_400

    /// Two strangers make an offer each.
    static func first(skew: UInt64 = 0, isBound: Bool = true, seed: UInt8 = 0) -> ActsScenario {
        var scenario = ActsScenario("first pairing", [.offer: 1, .send: 1, .take: 2])
        (scenario.hasOlder, scenario.skew, scenario.isBound) = (false, skew, isBound)
        scenario.seed = seed
        return scenario
    }

    /// Two who have an older pairing make an offer each.
    static func again(_ loss: Loss, skew: UInt64 = 0, seed: UInt8 = 0) -> ActsScenario {
        var scenario = ActsScenario("pairing again", [.offer: 1, .send: 1, .take: 2])
        (scenario.loss, scenario.skew, scenario.seed) = (loss, skew, seed)
        return scenario
    }

    /// Two who lost their sessions make an offer each, both fresh, and little else.
    static func crossing(
        alice: [Cost: UInt8],
        bob: [Cost: UInt8],
        skew: UInt64 = 0,
        limit: UInt16 = 1,
        seed: UInt8 = 0
    ) -> ActsScenario {
        var scenario = again(.both, skew: skew, seed: seed)
        scenario.limit = limit
        scenario.bounds[0] = alice.merging([.offer: 1]) { $1 }
        scenario.bounds[1] = bob.merging([.offer: 1]) { $1 }
        return scenario
    }

    /// Renewals that cross, are lost, repeated and late.
    static var rotation: ActsScenario { ActsScenario("rotation", [.next: 1, .send: 1, .take: 2]) }

    /// A rotation, and a backup of Alice's kept and put back at any step.
    static var restore: ActsScenario {
        var scenario = ActsScenario("restore", [.next: 1, .take: 1])
        scenario.bounds[0] = [.next: 1, .send: 1, .take: 2, .restore: 2]
        return scenario
    }

    /// A rotation while Alice's clock moves past the grace time, past the end of the key, past its chain, and back.
    static var clocks: ActsScenario {
        var scenario = ActsScenario("clocks", [.send: 1, .take: 1])
        scenario.clocks = [0, 4 * day, 8 * day, 45 * day]
        scenario.bounds[0] = [.next: 1, .send: 1, .take: 1, .clock: 2]
        return scenario
    }

    /// Sessions and identities that are ended, and every older code of a renewal after that.
    static var ends: ActsScenario {
        var scenario = ActsScenario("ends", [.send: 1, .take: 2])
        scenario.bounds[0] = [.next: 1, .send: 1, .take: 2, .end: 1]
        return scenario
    }

    /// The same with offers.
    static var endsOfOffers: ActsScenario {
        ActsScenario("ends of offers", [.offer: 1, .take: 2, .end: 1])
    }

    /// A second device of Alice's, from a copy of her vault.
    static var device: ActsScenario {
        var scenario = ActsScenario("second device", [.next: 1, .send: 1, .take: 1])
        scenario.third = .device
        return scenario
    }

    /// Carol sees every code, and answers an offer that was made for Bob.
    static var carol: ActsScenario {
        var scenario = ActsScenario("second contact", [.send: 1, .take: 1])
        (scenario.third, scenario.hasOlder, scenario.isBound) = (.carol, false, false)
        scenario.bounds[0] = [.offer: 1, .send: 1, .take: 2]
        return scenario
    }

    /// A few deeds of Alice's, and fewer of Bob's.
    static func only(
        _ name: String,
        _ alice: [Cost: UInt8],
        bob: [Cost: UInt8] = [:],
        clocks: [UInt64] = [],
        olderLimit: UInt16 = 2
    ) -> ActsScenario {
        var scenario = ActsScenario(name, bob)
        scenario.olderLimit = olderLimit
        scenario.bounds[0] = alice
        scenario.clocks = clocks
        return scenario
    }

    /// All that are walked, one of each kind.
    package static let kinds = [
        first(), again(.restored), rotation, restore, clocks, ends, endsOfOffers, device, carol, suites,
        oldProgram, oldStranger, carried, inPerson, faulty,
    ]

    /// Pairing, and pairing again, in every combination that means something.
    package static let pairings: [ActsScenario] = [0, 1].flatMap { seed in
        [UInt64(0), 200, 400].flatMap { skew in
            [true, false].map { first(skew: skew, isBound: $0, seed: seed) }
                + Loss.allCases.flatMap { loss in
                    [false, true].map { isAhead in
                        var scenario = again(loss, skew: skew, seed: seed)
                        scenario.isOlderAhead = isAhead
                        return scenario
                    }
                }
        }
    }
}

extension ActsScenario: CustomStringConvertible {
    package var description: String {
        var words = [name]
        if name == "pairing again" { words.append("Alice \(loss.rawValue)") }
        if !hasOlder, third == .nobody, !isBound { words.append("unbound") }
        if isOlderAhead { words.append("stamped ahead") }
        if skew > 0 { words.append("Bob \(skew) s ahead") }
        if seed > 0 { words.append("other keys") }
        return words.joined(separator: ", ")
    }
}
