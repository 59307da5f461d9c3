/// What a walk over pairing has found.
package struct PairingFindings: Sendable {
    /// What the two started from.
    package let scenario: PairingScenario
    /// States reached.
    package let states: Int
    /// Steps taken.
    package let transitions: Int
    /// The first broken promise and the shortest way to it.
    package let flaw: (flaw: PairingFlaw, trace: [String])?
    /// States from which the two never send under the same pairing.
    package let neverAgreeing: Int
    /// The shortest way to the first of them.
    package let neverTrace: [String]?

    /// Everything holds.
    package var isSound: Bool { flaw == nil && neverAgreeing == 0 }

    /// Walks a scenario to the end, also past broken promises.
    ///
    /// - Throws: never for the scenarios of `PairingScenario.all`.
    package init(_ scenario: PairingScenario, mistake: PairingMistake? = nil) throws(ExplorerError) {
        var model = PairingModel(scenario, mistake: mistake)
        let graph = try Graph(walking: &model, stopsAtFlaw: false)
        self.scenario = scenario
        states = graph.states.count
        transitions = graph.stepCount
        flaw = graph.flaw.map { ($0.flaw, graph.trace(to: $0.state).map(\.description)) }
        let agreeing = graph.reaching { model.agree($0) }
        neverAgreeing = agreeing.count { !$0 }
        neverTrace = agreeing.firstIndex(of: false).map { graph.trace(to: $0).map(\.description) }
    }
}
