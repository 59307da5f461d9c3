internal import System

extension Spawned {
    /// Starts a program with these standard descriptors, and none besides; what it lacks of them leads nowhere.
    ///
    /// - Throws: `HelperFailure` when it cannot be started.
    static func start(
        _ command: [String],
        _ environment: [String],
        _ descriptors: [Int32]
    ) throws -> Int32 {
        let plan = SpawnPlan()
        for (target, source) in descriptors.enumerated() { plan.give(source, as: Int32(target)) }
        for missing in descriptors.count..<3 { plan.giveNothing(as: Int32(missing)) }
        plan.close(from: 3)
        // Threads of a test run block signals, and a program would inherit that.
        plan.resetSignals()
        do throws(ProgramError) {
            return try plan.start(command, environment)
        } catch {
            throw HelperFailure(description: "\(command.first ?? "") does not start: \(error)")
        }
    }
}
