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
    /// The walk came to its end; if not, reachable agreement was not judged.
    package let isWhole: Bool
    /// The first broken promise and the shortest way to it.
    package let flaw: (flaw: ActsFlaw, trace: [String])?
    /// States from which the bounds leave no way to send under one pairing, where that is promised.
    package let neverAgreeing: Int
    /// Pairs of vaults that were left to what their programs show.
    package let guided: Int
    /// Those of them that went round and round.
    package let stuck: Int
    /// The shortest way to the first state that never agrees or is stuck.
    package let trace: [String]?

    /// Everything holds.
    package var isSound: Bool { flaw == nil && neverAgreeing == 0 && stuck == 0 }

    /// Walks a scenario to the end, or to the first broken promise.
    ///
    /// - Parameters:
    ///   - mostStates: the walk is cut behind so many states.
    ///   - mostGuided: so many pairs of vaults are left to what their programs show, spread over all states.
    /// - Throws: `outOfBounds`, `tooManyNames`.
    package init(
        _ scenario: ActsScenario,
        mistake: ActsMistake? = nil,
        mostStates: Int = .max,
        mostGuided: Int = 1_000,
        progress: (@Sendable (Int, Int) -> Void)? = nil
    ) throws(ExplorerError) {
        var model = try ActsModel(scenario, mistake: mistake, progress: progress)
        let graph = try Graph(walking: &model, mostStates: mostStates)
        self.scenario = scenario
        states = graph.states.count
        transitions = graph.stepCount
        deeds = model.sizes.deeds
        isWhole = graph.isWhole
        flaw = graph.flaw.map { ($0.flaw, graph.trace(to: $0.state).map(\.description)) }
        var found: Int?
        var never = 0
        if scenario.mustAgree, isWhole, flaw == nil {
            let agreeing = graph.reaching { model.agree($0) }
            never = agreeing.count { !$0 }
            found = agreeing.firstIndex(of: false)
        }
        neverAgreeing = never
        var pairs: Set<[UInt32]> = []
        var stuck = 0
        if flaw == nil {
            let step = max(1, graph.states.count / max(1, mostGuided))
            for number in stride(from: 0, to: graph.states.count, by: step) {
                let state = graph.states[number]
                guard pairs.count < mostGuided, pairs.insert(Array(state.vaults.prefix(2))).inserted,
                    !model.leadsOut(state)
                else { continue }
                stuck += 1
                found = found ?? number
            }
        }
        guided = pairs.count
        self.stuck = stuck
        trace = found.map { graph.trace(to: $0).map(\.description) }
    }
}

extension ActsModel {
    /// Alice and Bob do what their programs say until they read each other; who ended an identity is excused.
    func leadsOut(_ state: ActsWorld) -> Bool {
        let hasEnded = state.vaults.prefix(2).enumerated().contains {
            !table.vaults[$0.offset][Int($0.element)].gone.isEmpty
        }
        var guide = Guide(table, state.vaults[0], state.vaults[1])
        return hasEnded || guide.leadsOut()
    }
}
