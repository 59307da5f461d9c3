/// Every state that a model can reach, found breadth first, with the steps between them.
///
/// A state is kept once, with the number of the state it was first reached from: following these numbers back
/// gives a shortest trace. Numbers are 32 bits wide, so three million states with fourteen million steps stay
/// well below one gigabyte.
package struct Graph<Model: GraphModel> {
    /// The states in the order of discovery; the first is the initial one.
    package private(set) var states: [Model.State] = []
    /// The first state that breaks a promise, and which one; nil if all keep them.
    package private(set) var flaw: (state: Int, flaw: Model.Flaw)?

    /// Every state was left behind by all its steps.
    package private(set) var isWhole = false

    private var index: [Model.State: UInt32] = [:]
    private var parents: [UInt32] = []
    private var arrivals: [Model.Step?] = []
    /// Where each step leads, the steps of one state next to each other.
    private var targets: [UInt32] = []
    /// Behind the last step of each state, an index into `targets`.
    private var ends: [Int] = []

    /// Walks a model to the end, to the first state that breaks a promise, or until so many states were left behind.
    ///
    /// - Throws: `ExplorerError` if the bounds are wider than the names of the model.
    package init(
        walking model: inout Model,
        stopsAtFlaw: Bool = true,
        maximumStates: Int = .max
    ) throws(ExplorerError) {
        var steps: [(step: Model.Step, state: Model.State)] = []
        discover(model.initial, from: 0, by: nil, model)
        var next = 0
        while next < min(states.count, maximumStates) {
            if stopsAtFlaw, flaw != nil { break }
            steps.removeAll(keepingCapacity: true)
            try model.expand(states[next], into: &steps)
            for (step, state) in steps {
                targets.append(discover(state, from: UInt32(next), by: step, model))
            }
            ends.append(targets.count)
            next += 1
        }
        isWhole = next == states.count
        // The states that a stopped walk has seen but not left.
        while ends.count < states.count { ends.append(targets.count) }
        index = [:]
    }

    /// The number of steps taken.
    package var stepCount: Int { targets.count }

    @discardableResult
    private mutating func discover(
        _ state: Model.State,
        from parent: UInt32,
        by step: Model.Step?,
        _ model: Model
    ) -> UInt32 {
        if let known = index[state] { return known }
        let number = UInt32(states.count)
        index[state] = number
        states.append(state)
        parents.append(parent)
        arrivals.append(step)
        if flaw == nil, let found = model.flaw(in: state) { flaw = (Int(number), found) }
        return number
    }

    /// For each state, whether a goal can be reached from it (in no steps if it is one).
    ///
    /// Most steps lead to a later number, so going backwards again and again settles after a few rounds.
    package func reaching(_ isGoal: (Model.State) -> Bool) -> [Bool] {
        var reaches = states.map(isGoal)
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for state in states.indices.reversed() where !reaches[state] {
                var step = state == 0 ? 0 : ends[state - 1]
                while step < ends[state], !reaches[Int(targets[step])] { step += 1 }
                if step < ends[state] {
                    reaches[state] = true
                    hasChanged = true
                }
            }
        }
        return reaches
    }

    /// A shortest way from the initial state to a state.
    package func trace(to state: Int) -> [Model.Step] {
        var steps: [Model.Step] = []
        var state = state
        while let step = arrivals[state] {
            steps.append(step)
            state = Int(parents[state])
        }
        return steps.reversed()
    }
}
