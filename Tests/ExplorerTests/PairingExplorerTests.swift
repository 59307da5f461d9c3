internal import Explorer
internal import Testing

/// Crossing offers and pairing again, in every order.
@Suite struct PairingExplorerTests {
    @Test(arguments: PairingScenario.all())
    func `two people always come to send under one pairing, and read what is sent`(
        scenario: PairingScenario
    ) throws {
        let findings = try PairingFindings(scenario)
        #expect(findings.flaw == nil, "\(findings.flaw?.trace.joined(separator: " ") ?? "")")
        #expect(findings.neverAgreeing == 0, "\(findings.neverTrace?.joined(separator: " ") ?? "")")
        #expect(findings.states > 100)
    }

    @Test func `a fifth pairing that ends one does not part them for good`() throws {
        var scenario = PairingScenario()
        scenario.hasOlder = true
        scenario.skew = 400
        scenario.offersEach = 2
        let findings = try PairingFindings(scenario)
        #expect(findings.isSound)
        #expect(findings.states > 10_000)
    }

    @Test(arguments: PairingMistake.allCases)
    func `another meaning of fresh leaves people who never agree`(mistake: PairingMistake) throws {
        let parted = try PairingScenario.all().filter {
            try PairingFindings($0, mistake: mistake).neverAgreeing > 0
        }
        #expect(!parted.isEmpty)
    }

    @Test func `muting all parts them when the answerer cannot stamp above the other pairing`() throws {
        var scenario = PairingScenario()
        scenario.skew = 400
        let trace = try PairingFindings(scenario, mistake: .mutesAll).neverTrace
        #expect(
            trace == [
                "A.offer(1)", "B.offer(2)", "B.answer(1)", "A.take(1)", "A.send(1)", "A.answer(2) lost",
                "B.read(1)",
            ]
        )
    }
}
