internal import ArgumentParser
internal import Explorer

/// `explore pairing`: crossing offers and pairing again, section 5.
struct ExplorePairing: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairing",
        abstract: "Crossing offers, and pairing again after a loss."
    )

    @Option(help: "Offers each side makes at most: 1 or 2.")
    var offers = 1

    @Option(help: "Another meaning of fresh: \(Self.mistakes).")
    var mistake: PairingMistake?

    private static var mistakes: String { PairingMistake.allCases.map(\.rawValue).joined(separator: ", ") }

    func validate() throws {
        guard (1...2).contains(offers) else { throw ValidationError("offers: 1 or 2") }
    }

    func run() throws {
        var isSound = true
        var disagrees = false
        if let mistake { print("mistake: \(mistake.rawValue)") }
        for scenario in PairingScenario.all(offersEach: offers) {
            let findings = try PairingFindings(scenario, mistake: mistake)
            isSound = isSound && findings.isSound
            disagrees = disagrees || findings.neverAgreeing > 0
            let verdict = findings.flaw == nil ? "ok" : "broken"
            print(
                "\(scenario): \(findings.states) states, \(findings.transitions) transitions,"
                    + " safety \(verdict), never agreeing \(findings.neverAgreeing)"
            )
            if mistake == nil, let found = findings.flaw {
                print("  \(found.flaw.rawValue): \(found.trace.joined(separator: "  "))")
            }
            if let trace = findings.neverTrace { print("  never agree: \(trace.joined(separator: "  "))") }
        }
        guard mistake == nil ? isSound : disagrees else { throw ExitCode.failure }
    }
}

extension PairingMistake: ExpressibleByArgument {}
