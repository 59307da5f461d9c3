internal import ArgumentParser
internal import Explorer

/// `explore`, `explore rotation`: the rules of section 8.
struct ExploreRotation: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotation",
        abstract: "Rotation between two peers (the default)."
    )

    @Option(help: "The highest epoch.")
    var epochs: Int?

    @Option(help: "Attempts towards each epoch.")
    var attempts: Int?

    @Option(help: "Messages each direction may seal under a key.")
    var limit: Int?

    @Option(help: "What the two programs know of suite 02: \(Self.allPrograms).")
    var programs: Programs?

    @Option(help: "A mistake to put around the rules: \(Self.mistakes).")
    var mistake: RotationMistake?

    private static var mistakes: String { RotationMistake.allCases.map(\.rawValue).joined(separator: ", ") }

    private static var allPrograms: String { Programs.allCases.map(\.rawValue).joined(separator: ", ") }

    func run() throws {
        let smallest = mistake?.smallestBounds ?? (epochs: 1, attempts: 2, limit: 1)
        let bounds = try RotationBounds(
            epochs: epochs ?? smallest.epochs,
            attempts: attempts ?? smallest.attempts,
            limit: limit ?? smallest.limit,
            programs: programs ?? mistake?.programs ?? .new
        )
        let clock = ContinuousClock()
        let start = clock.now
        let findings = try RotationFindings(bounds: bounds, mistake: mistake)
        let time = start.duration(to: clock.now)
        if let mistake { print("mistake: \(mistake.rawValue)") }
        print("epochs / attempts / limit: \(bounds.epochs) / \(bounds.attempts) / \(bounds.limit)")
        print("programs: \(bounds.programs.rawValue)")
        print("states: \(findings.states)")
        print("transitions: \(findings.transitions)")
        if let found = findings.flaw {
            print("safety: BROKEN: \(found.flaw.rawValue)")
            print("shortest trace, \(found.trace.count) steps: \(found.trace.joined(separator: "  "))")
        } else {
            print("safety: ok")
            print("stuck with an attempt left: \(findings.stuck)")
            print("never renewed with an attempt left: \(findings.unrenewed)")
            print("ended by the bounds: \(findings.endedByBounds)")
            if let trace = findings.stuckTrace {
                print("shortest trace, \(trace.count) steps: \(trace.joined(separator: "  "))")
            }
        }
        print("time: \(time.formatted)")
        print(row(findings))
        if findings.isSound == (mistake != nil) { throw ExitCode.failure }
    }

    /// The findings as a row of the table in the README.
    private func row(_ findings: RotationFindings) -> String {
        let bounds = findings.bounds
        let verdict = findings.flaw == nil ? "ok" : "broken"
        return """
            | \(bounds.programs.rawValue) | \(bounds.epochs) / \(bounds.attempts) / \(bounds.limit) | \(findings.states) \
            | \(findings.transitions) | \(verdict) | \(findings.stuck) | \(findings.unrenewed) |
            """
    }
}

extension RotationMistake: ExpressibleByArgument {}
extension Programs: ExpressibleByArgument {}

extension Duration {
    /// Seconds with two places.
    var formatted: String {
        let hundredths = components.seconds * 100 + components.attoseconds / 10_000_000_000_000_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
