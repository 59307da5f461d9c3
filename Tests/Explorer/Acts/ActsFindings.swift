/// What a walk over the acts has found.
package struct ActsFindings: Sendable {
    /// What it started from.
    package let scenario: ActsScenario
    /// States reached.
    package let states: Int
    /// Steps taken.
    package let transitions: Int
    /// Different deeds at one vault: so often the reducer ran.
    package let deeds: Int
    /// The walk came to its end; if not, the states that are nearest were seen.
    package let isWhole: Bool
    /// The first broken promise and the shortest way to it.
    package let flaw: (flaw: ActsFlaw, trace: [String])?
    /// Pairs of vaults that were left to what their programs show.
    package let guided: Int
    /// Those of them that went round and round.
    package let stuck: Int
    /// The shortest way to the first state that is stuck.
    package let trace: [String]?

    /// Everything holds.
    package var isSound: Bool { flaw == nil && stuck == 0 }

    /// Walks a scenario to the end, or to the first broken promise.
    ///
    /// - Parameters:
    ///   - scenario: what it starts from.
    ///   - mistake: put around the reducer; none when nil.
    ///   - maximumStates: the walk is cut behind so many states.
    ///   - maximumGuided: of so many states, spread over all of them, two are left to what their programs
    ///     show.
    ///   - progress: told after each thousand states how many there were, and how many deeds were done for
    ///     them.
    /// - Throws: `outOfBounds`, `tooManyNames`.
    package init(
        _ scenario: ActsScenario,
        mistake: ActsMistake? = nil,
        maximumStates: Int = .max,
        maximumGuided: Int = .max,
        progress: (@Sendable (Int, Int) -> Void)? = nil
    ) throws(ExplorerError) {
        var model = try ActsModel(scenario, mistake: mistake, progress: progress)
        let graph = try Graph(walking: &model, maximumStates: maximumStates)
        self.scenario = scenario
        states = graph.states.count
        transitions = graph.stepCount
        deeds = model.sizes.deeds
        isWhole = graph.isWhole
        flaw = graph.flaw.map { ($0.flaw, graph.trace(to: $0.state).map(\.description)) }
        var ends: [[UInt32]: Bool] = [:]
        var stuck: Int?
        if flaw == nil, maximumGuided > 0 {
            let step = max(1, graph.states.count / maximumGuided)
            var numbers = Array(stride(from: 0, to: graph.states.count, by: step))
            // A mistake shows where most has happened, and once is enough.
            if mistake != nil { numbers.reverse() }
            for number in numbers where mistake == nil || stuck == nil {
                for people in scenario.pairs where !model.leadsOut(graph.states[number], people, &ends) {
                    stuck = stuck ?? number
                }
            }
        }
        guided = ends.count
        self.stuck = ends.count { !$0.value }
        trace = stuck.map { graph.trace(to: $0).map(\.description) }
    }
}

extension ActsModel {
    /// Two people do what their programs say until they hear each other; who ended an identity is excused.
    ///
    /// - Parameters:
    ///   - state: where they begin.
    ///   - people: the two, by their numbers.
    ///   - ends: what is known already, by people and vaults; what is found out is added.
    /// - Returns: whether they come to hear each other.
    func leadsOut(_ state: ActsWorld, _ people: [Int], _ ends: inout [[UInt32]: Bool]) -> Bool {
        let vaults = people.map { state.vaults[$0] }
        if zip(people, vaults).contains(where: { !table.vaults[$0][Int($1)].gone.isEmpty }) { return true }
        var guide = Guide(table, people, vaults)
        let start = people.map { UInt32($0) } + guide.start
        if let known = ends[start] { return known }
        let end = guide.leadsOut()
        ends[start] = end
        return end
    }
}
