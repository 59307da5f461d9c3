import Support

/// What may happen between two people, in any order: a step names its actor and, by a number that is taken
/// modulo what there is, what it is about.
struct Story: Sendable, CustomStringConvertible {
    enum Step: Sendable {
        /// Seal one message.
        case send(Bool)
        /// Deliver one of all messages ever sent, to the one it is for: again, late, out of order, or never.
        case deliver(Int)
        /// Show the next code.
        case next(Bool)
        /// Show the ROTATE or ACCEPT that is due.
        case rotate(Bool)
        /// Make an OFFER, bound to the other or not.
        case offer(Bool, isBound: Bool)
        /// Let someone take one of all codes ever shown.
        case take(Bool, Int)
        /// The clock moves, perhaps back.
        case clock(Int)
        /// Someone's own clock goes wrong by so many seconds.
        case skew(Bool, Int)
        /// End all sessions.
        case revoke(Bool)
        /// Keep a backup.
        case backup(Bool)
        /// Put it back.
        case restore(Bool)
        /// Set the mark back to the clock.
        case setClockBack(Bool)
        /// Close every offer.
        case closeOffers(Bool)
    }

    /// Which troubles there are besides lost, repeated and reordered messages and codes.
    struct Troubles: OptionSet, Sendable {
        let rawValue: Int
        static let clocks = Troubles(rawValue: 1)
        static let ends = Troubles(rawValue: 2)
        static let restores = Troubles(rawValue: 4)
        static let pairings = Troubles(rawValue: 8)
    }

    var steps: [Step]

    var description: String { steps.map { "\($0)" }.joined(separator: ", ") }

    /// A story that is known.
    init(_ steps: [Step]) { self.steps = steps }

    /// A story of `count` steps.
    init(_ generator: inout SeededGenerator, count: Int, troubles: Troubles) {
        steps = (0..<count).map { _ in Self.step(&generator, troubles) }
    }

    private static func step(_ generator: inout SeededGenerator, _ troubles: Troubles) -> Step {
        let who = generator.oneIn(2)
        let number = generator.number(in: 0...1_000)
        switch generator.number(in: 0...39) {
        case 0...9: return .send(who)
        case 10...19: return .deliver(number)
        case 20...22: return .next(who)
        case 23...25: return .rotate(who)
        case 26...33: return .take(who, number)
        case 34 where troubles.contains(.pairings): return .offer(who, isBound: generator.oneIn(2))
        case 35 where troubles.contains(.ends):
            return generator.oneIn(2) ? .revoke(who) : .closeOffers(who)
        case 36 where troubles.contains(.restores):
            return generator.oneIn(2) ? .backup(who) : .restore(who)
        case 37 where troubles.contains(.clocks):
            let moves = [-172_800, -3_700, -700, -1, 1, 599, 3_599, 3_601, 86_400, 260_000, 2_700_000]
            return .clock(generator.pick(moves) ?? 0)
        case 38 where troubles.contains(.clocks):
            return generator.oneIn(4)
                ? .setClockBack(who) : .skew(who, generator.number(in: -900...900))
        default: return .clock(generator.number(in: 0...900))
        }
    }

    /// The same story with fewer steps: halves and quarters first, then single steps.
    var smaller: [Story] {
        var found: [Story] = []
        var size = steps.count / 2
        while size > 0 {
            for start in stride(from: 0, to: steps.count, by: size) {
                var fewer = self
                fewer.steps.removeSubrange(start..<min(start + size, steps.count))
                found.append(fewer)
            }
            size /= 2
        }
        return found
    }
}
