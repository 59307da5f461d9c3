internal import ArgumentParser
internal import Explorer

/// `explore acts`: whole vaults, with pairing, backups, clocks, ends, a second device and a second contact.
struct ExploreActs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acts",
        abstract: "Whole vaults that pair, renew, restore and end."
    )

    @Option(help: "One scenario by its name; all of them without.")
    var scenario: String?

    @Flag(help: "Every combination of pairing and pairing again.")
    var pairings = false

    @Option(help: "A mistake to put around the reducer: \(Self.mistakes).")
    var mistake: ActsMistake?

    @Option(help: "So many states are left to what the programs show.")
    var guided = 1_000

    private static var mistakes: String { ActsMistake.allCases.map(\.rawValue).joined(separator: ", ") }

    func run() throws {
        var scenarios = pairings ? ActsScenario.pairings : ActsScenario.kinds
        if let mistake {
            print("mistake: \(mistake.rawValue)")
            scenarios = [mistake.scenario]
        }
        if let scenario { scenarios = scenarios.filter { $0.name == scenario } }
        guard !scenarios.isEmpty else { throw ValidationError("scenario: no such name") }
        var isSound = true
        for scenario in scenarios {
            let clock = ContinuousClock()
            let start = clock.now
            let findings = try ActsFindings(scenario, mistake: mistake, mostGuided: guided)
            isSound = isSound && findings.isSound
            print(
                "\(scenario): \(findings.states) states, \(findings.transitions) transitions,"
                    + " \(findings.deeds) deeds, safety \(findings.flaw == nil ? "ok" : "broken"),"
                    + " never agreeing \(findings.neverAgreeing), stuck \(findings.stuck) of \(findings.guided),"
                    + " \(start.duration(to: clock.now).formatted)"
            )
            if let found = findings.flaw {
                print("  \(found.flaw.rawValue): \(found.trace.joined(separator: "  "))")
            }
            if let trace = findings.trace { print("  \(trace.joined(separator: "  "))") }
        }
        guard isSound == (mistake == nil) else { throw ExitCode.failure }
    }
}

extension ActsMistake: ExpressibleByArgument {}
