package import SharedLog

/// Random orders of everything that may happen.
package struct MachinesWalk: Sendable {
    /// The steps that changed something.
    package private(set) var steps: [MachinesStep] = []
    /// The world behind them.
    package private(set) var world: MachinesWorld

    /// Walks so many steps, and lets everybody sync at the end.
    ///
    /// - Throws: an error of the log, if a log cannot even be founded.
    package init(
        seed: UInt64,
        length: Int,
        isHostile: Bool,
        mistake: MachinesMistake? = nil
    ) throws(LogError) {
        var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
        let count = 2 + Int(random.next() % 3)
        world = try MachinesWorld(machines: count, withLast: random.next() % 2 == 0, mistake: mistake)
        for _ in 0..<length where world.flaw == nil {
            let step = Self.step(&random, count, isHostile)
            if world.perform(step) { steps.append(step) }
        }
        world.settle()
    }

    private static func step(_ random: inout Random, _ count: Int, _ isHostile: Bool) -> MachinesStep {
        let (who, other) = (Int(random.next() % UInt64(count)), Int(random.next() % UInt64(count)))
        switch random.next() % (isHostile ? 40 : 34) {
        case 0..<6: return .edit(who, record: Int(random.next() % 2), field: Int(random.next() % 2))
        case 6..<12: return .write(who)
        case 12..<17: return .send(who)
        case 17..<23: return .read(who)
        case 23: return .compact(who)
        case 24: return .trim(who)
        case 25: return .backup(who)
        case 26: return .restore(who)
        case 27: return who == other || other == 0 ? .read(who) : .remove(who, other)
        case 28: return .admit(who)
        case 29: return .join
        case 30, 31: return .delete(who, record: Int(random.next() % 2))
        case 32, 33: return .rename(who, record: Int(random.next() % 2))
        case 34: return .forge(who)
        default: return .show(who, Int(random.next() % 24))
        }
    }
}

/// A generator that gives the same for the same seed.
private struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 11
    }
}

/// A small world, walked whole.
package struct MachinesModel: GraphModel {
    /// A world, told apart by what its machines and its server know.
    package struct State: Hashable {
        package let world: MachinesWorld

        package static func == (first: State, second: State) -> Bool { first.key == second.key }
        package func hash(into hasher: inout Hasher) { hasher.combine(key) }

        private let key: [String]

        init(_ world: MachinesWorld) {
            self.world = world
            key = world.key
        }
    }

    package let initial: State
    private let steps: [MachinesStep]
    private let edits: Int

    /// Machines that edit so often each, and whatever else is named.
    ///
    /// - Throws: an error of the log, if a log cannot even be founded.
    package init(
        machines: Int,
        edits: Int,
        and others: [MachinesStep] = [],
        mistake: MachinesMistake? = nil
    ) throws(LogError) {
        initial = State(try MachinesWorld(machines: machines, mistake: mistake))
        self.edits = edits
        steps =
            others
            + (0..<machines).flatMap { who in
                [.edit(who, record: 0, field: 0), .write(who), .send(who), .read(who)]
            }
    }

    package mutating func expand(
        _ state: State,
        into steps: inout [(step: MachinesStep, state: State)]
    ) throws(ExplorerError) {
        for step in self.steps {
            if case .edit(let who, _, _) = step, state.world.machines[who].edits >= edits { continue }
            var world = state.world
            guard world.perform(step) else { continue }
            let next = State(world)
            if next != state { steps.append((step, next)) }
        }
    }

    package func flaw(in state: State) -> MachinesFlaw? { state.world.flaw }
}
