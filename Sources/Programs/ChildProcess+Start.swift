internal import Glibc

extension ChildProcess {
    /// Starts a program with no descriptor but the three standard ones, no environment but what is named, and the
    /// ordinary answers to signals; what it says on stderr is dropped.
    ///
    /// - Parameters:
    ///   - environment: `NAME=value` each.
    ///   - output: nil for nowhere.
    ///   - leadsGroup: the program and what it starts are a process group of their own, so that all of them can
    ///     be ended at once.
    /// - Returns: its number, which the caller waits for.
    package static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String],
        input: Int32,
        output: Int32?,
        leadsGroup: Bool = false
    ) throws(ProgramError) -> Int32 {
        let plan = SpawnPlan()
        plan.give(input, as: STDIN_FILENO)
        if let output { plan.give(output, as: STDOUT_FILENO) } else { plan.giveNothing(as: STDOUT_FILENO) }
        plan.giveNothing(as: STDERR_FILENO)
        plan.close(from: 3)
        plan.resetSignals()
        if leadsGroup { plan.leadGroup() }
        return try plan.start([path] + arguments, environment)
    }
}
