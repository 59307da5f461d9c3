internal import Explorer
internal import Testing

/// The product's reducer in every order of events, with real keys; `Scripts/explore` walks to the end.
@Suite struct ActsExplorerTests {
    @Test(arguments: ActsScenario.kinds)
    func `every promise holds in the first states of every kind of walk`(scenario: ActsScenario) throws {
        let findings = try ActsFindings(scenario, mostStates: 150, mostGuided: 12)
        #expect(findings.flaw == nil, "\(findings.flaw.map { "\($0)" } ?? "")")
        #expect(findings.stuck == 0, "\(findings.trace ?? [])")
        #expect(findings.states > 150 && findings.guided > 3)
    }

    @Test(arguments: ActsMistake.allCases)
    func `a mistake in the acts is found`(mistake: ActsMistake) throws {
        let findings = try ActsFindings(
            mistake.scenario,
            mistake: mistake,
            mostStates: 1_500,
            mostGuided: 150
        )
        #expect(!findings.isSound)
    }
}
