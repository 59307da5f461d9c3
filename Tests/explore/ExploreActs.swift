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

    @Option(help: "Cut the walk behind so many states.")
    var states = Int.max

    @Option(help: "Of so many states, spread over all, two are left to what their programs show.")
    var guided = Int.max

    @Option(help: "Another bound: COST=COUNT, or WHO.COST=COUNT with 0 Alice, 1 Bob; costs: \(Self.costs).")
    var bound: [String] = []

    @Flag(help: "Say now and then how far it is.")
    var progress = false

    private static var costs: String { Cost.allCases.map(\.rawValue).joined(separator: ", ") }

    private static var mistakes: String { ActsMistake.allCases.map(\.rawValue).joined(separator: ", ") }

    func run() throws {
        var scenarios = pairings ? ActsScenario.pairings : ActsScenario.kinds
        if let mistake {
            print("mistake: \(mistake.rawValue)")
            scenarios = [mistake.scenario]
        }
        if let scenario { scenarios = scenarios.filter { $0.name == scenario } }
        guard !scenarios.isEmpty else { throw ValidationError("scenario: no such name") }
        for bound in bound {
            let parts = bound.split { $0 == "." || $0 == "=" }
            guard parts.count >= 2, let cost = Cost(rawValue: String(parts[parts.count - 2])),
                let count = parts.last.flatMap({ UInt8($0) })
            else { throw ValidationError("bound: COST=COUNT") }
            for place in scenarios.indices {
                scenarios[place].setBound(cost, to: count, of: parts.count == 3 ? Int(parts[0]) : nil)
            }
        }
        let tell: @Sendable (Int, Int) -> Void = { states, deeds in
            print("  … \(states) states, \(deeds) deeds")
        }
        var isSound = true
        for scenario in scenarios {
            let clock = ContinuousClock()
            let start = clock.now
            let findings = try ActsFindings(
                scenario,
                mistake: mistake,
                maximumStates: states,
                maximumGuided: guided,
                progress: progress ? tell : nil
            )
            isSound = isSound && findings.isSound
            print(
                "\(scenario): \(findings.states) states\(findings.isWhole ? "" : " (cut)"), \(findings.transitions) transitions,"
                    + " \(findings.deeds) deeds, safety \(findings.flaw == nil ? "ok" : "broken"),"
                    + " stuck \(findings.stuck) of \(findings.guided),"
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
