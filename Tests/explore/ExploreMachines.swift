internal import ArgumentParser
internal import Explorer

/// `explore machines`: machines that share a log, over a server that shows whatever it likes.
struct ExploreMachines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machines",
        abstract: "Machines that edit, write, restore, join and are removed."
    )

    @Option(help: "Random walks.")
    var walks = 200

    @Option(help: "Steps of each.")
    var length = 60

    @Option(help: "The number of the first walk.")
    var seed: UInt64 = 1

    @Flag(help: "The server shows anything it ever had, and what removed machines forge.")
    var hostile = false

    @Option(help: "A mistake to put around the rules: \(Self.mistakes).")
    var mistake: MachinesMistake?

    private static var mistakes: String { MachinesMistake.allCases.map(\.rawValue).joined(separator: ", ") }

    func run() throws {
        if let mistake {
            for script in MachinesScript.all where script.mistake == mistake {
                let flaw = try script.walked(withMistake: true)
                print("\(mistake.rawValue): \(flaw?.rawValue ?? "not found")")
                guard flaw == script.flaw else { throw ExitCode.failure }
            }
            return
        }
        var steps = 0
        for number in 0..<UInt64(max(walks, 0)) {
            let walk = try MachinesWalk(seed: seed + number, length: length, isHostile: hostile)
            steps += walk.steps.count
            guard let flaw = walk.world.flaw else { continue }
            print("walk \(seed + number): \(flaw.rawValue)")
            print("  \(walk.steps.map(\.description).joined(separator: " "))")
            throw ExitCode.failure
        }
        print("\(walks) walks, \(steps) steps, every promise kept")
    }
}

extension MachinesMistake: ExpressibleByArgument {}
