internal import HSIP

/// Rotation between two peers over a network that loses, repeats and reorders as it likes.
package struct RotationModel: GraphModel {
    /// How far the walk goes.
    package let bounds: RotationBounds
    package let initial: RotationWorld
    private var items = ItemTable()
    private let tableA: StepTable
    private let tableB: StepTable

    /// The machine as it is, or with one mistake around it.
    package init(bounds: RotationBounds, mistake: RotationMistake? = nil) {
        self.bounds = bounds
        let machine = Machine(bounds: bounds, mistake: mistake)
        tableA = StepTable(.a, machine: machine)
        tableB = StepTable(.b, machine: machine)
        let programs = bounds.programs
        func peer(_ side: Side) -> Peer {
            Peer(
                limit: bounds.limit,
                suite: programs.first,
                isNew: programs.isNew(side),
                isMarked: programs == .marked && side == .a
            )
        }
        initial = RotationWorld(a: tableA.number(of: peer(.a)), b: tableB.number(of: peer(.b)))
    }

    package mutating func expand(
        _ state: RotationWorld,
        into steps: inout [(step: RotationStep, state: RotationWorld)]
    ) throws(ExplorerError) {
        for side in Side.allCases {
            let table = table(side)
            let peer = state[side]
            for step in try table.steps(of: peer, &items) {
                try append(step, side, table, from: state, to: &steps)
            }
            var known = state.known
            while let item = known.popFirst() {
                if let step = try table.reply(of: peer, to: item, &items) {
                    try append(step, side, table, from: state, to: &steps)
                }
            }
        }
    }

    /// A step with its output, and the same step with the output lost.
    private mutating func append(
        _ step: LocalStep,
        _ side: Side,
        _ table: StepTable,
        from state: RotationWorld,
        to steps: inout [(step: RotationStep, state: RotationWorld)]
    ) throws(ExplorerError) {
        var step = step
        while step.isTaken(in: state.known) { step = try table.again(step, of: state[side], &items) }
        var next = state
        next[side] = step.peer
        let isNew = next != state
        if let output = step.output, !state.known.contains(output) {
            var sent = next
            sent.known.insert(output)
            steps.append((RotationStep(side: side, act: step.act, isLost: false), sent))
            if isNew { steps.append((RotationStep(side: side, act: step.act, isLost: true), next)) }
        } else if isNew {
            steps.append((RotationStep(side: side, act: step.act, isLost: false), next))
        }
    }

    package func flaw(in state: RotationWorld) -> RotationFlaw? {
        let a = facts(state, .a)
        let b = facts(state, .b)
        if a.epoch == b.epoch {
            if a.key != b.key { return .splitBrain }
        } else {
            let (ahead, behind) = a.epoch > b.epoch ? (a, b) : (b, a)
            if ahead.epoch - behind.epoch > 1 { return .farApart }
            if behind.nextKey != ahead.key { return .notPrepared }
        }
        if a.isLowered || b.isLowered { return .lowered }
        if a.isOverLimit || b.isOverLimit { return .overLimit }
        if a.maySeal, !b.willOpen(a.key) { return .unreadable }
        if b.maySeal, !a.willOpen(b.key) { return .unreadable }
        return nil
    }

    /// What the promises ask of a side in a state.
    package func facts(_ state: RotationWorld, _ side: Side) -> PeerFacts {
        table(side).facts[Int(state[side])]
    }

    /// The machine of a side in a state.
    package func peer(_ state: RotationWorld, _ side: Side) -> Peer { table(side).peer(state[side]) }

    /// The item behind a number.
    package func item(_ number: UInt8) -> Item { items.items[Int(number)] }

    /// How many states of A and of B, and how many items the walk has met.
    package var sizes: (a: Int, b: Int, items: Int) { (tableA.count, tableB.count, items.items.count) }

    private func table(_ side: Side) -> StepTable { side == .a ? tableA : tableB }
}
