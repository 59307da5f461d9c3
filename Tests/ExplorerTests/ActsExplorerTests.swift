internal import Explorer
internal import Testing

/// The product's reducer in every order of events, with real keys.
@Suite struct ActsExplorerTests {
    @Test func `strangers who pair break no promise, whatever is lost, repeated or late`() throws {
        let findings = try ActsFindings(ActsScenario.kinds[0], mostStates: 800, mostGuided: 0)
        #expect(findings.flaw == nil, "\(findings.flaw.map { "\($0)" } ?? "")")
        #expect(findings.states >= 800)
    }

    @Test(arguments: [
        (ActsMistake.forgetsRestore, ActsFlaw.numberTwice), (.forgetsSeen, .openedTwice),
        (.forgetsNotice, .revokedAnswered), (.forgetsMark, .overdueAgain),
    ])
    func `a mistake around the reducer is found by the promise that it breaks`(
        mistake: ActsMistake,
        flaw: ActsFlaw
    ) throws {
        let findings = try ActsFindings(mistake.scenario, mistake: mistake, mostGuided: 0)
        #expect(findings.flaw?.flaw == flaw)
    }
}
