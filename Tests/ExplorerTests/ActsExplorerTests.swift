internal import Explorer
internal import Testing

/// The product's reducer in every order of events, with real keys.
@Suite struct ActsExplorerTests {
    /// So many states of each kind, the nearest to its beginning; `Scripts/explore` walks on.
    private static let states = 120

    @Test(arguments: ActsScenario.kinds)
    func `no order of events breaks a promise, and what the programs show leads out`(
        scenario: ActsScenario
    ) throws {
        let findings = try ActsFindings(scenario, maximumStates: Self.states, maximumGuided: 6)
        #expect(findings.flaw == nil, "\(findings.flaw.map { "\($0)" } ?? "")")
        #expect(findings.stuck == 0, "\(findings.trace?.joined(separator: " ") ?? "")")
        #expect(findings.states >= Self.states && findings.guided > 0)
    }

    @Test(arguments: ActsMistake.allCases)
    func `a mistake around the reducer is found by the promise that it breaks`(mistake: ActsMistake) throws {
        let findings = try ActsFindings(
            mistake.scenario,
            mistake: mistake,
            maximumStates: 1_200,
            maximumGuided: 300
        )
        #expect(!findings.isSound)
        #expect(findings.flaw?.flaw == mistake.flaw)
    }

    @Test(arguments: ActsMistake.allCases)
    func `without its mistake the same walk finds nothing`(mistake: ActsMistake) throws {
        let findings = try ActsFindings(mistake.scenario, maximumStates: 250, maximumGuided: 4)
        #expect(findings.isSound, "\(findings.flaw.map { "\($0)" } ?? "")")
    }
}
