internal import Explorer
internal import Testing

/// The product's reducer in every order of events, with real keys.
@Suite struct ActsExplorerTests {
    @Test(arguments: ActsScenario.kinds)
    func `every promise holds in every order of events`(scenario: ActsScenario) throws {
        let findings = try ActsFindings(scenario, mostGuided: 100)
        #expect(findings.flaw == nil, "\(findings.flaw.map { "\($0)" } ?? "")")
        #expect(findings.neverAgreeing == 0 && findings.stuck == 0, "\(findings.trace ?? [])")
        #expect(findings.states > 100 && findings.guided > 10)
    }

    @Test(arguments: ActsMistake.allCases)
    func `a mistake in the acts is found`(mistake: ActsMistake) throws {
        #expect(try !ActsFindings(mistake.scenario, mistake: mistake, mostGuided: 300).isSound)
    }
}
