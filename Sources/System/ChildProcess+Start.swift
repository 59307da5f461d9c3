internal import Glibc

extension ChildProcess {
    /// Starts a program with the standard descriptors and the named ones only, no environment but what is named, and
    /// the ordinary answers to signals.
    ///
    /// - Parameters:
    ///   - path: The file of the program, which also becomes its own name for itself.
    ///   - arguments: The words after that name.
    ///   - environment: `NAME=value` each.
    ///   - input: The descriptor that becomes its stdin.
    ///   - output: The descriptor that becomes its stdout; nil for nowhere.
    ///   - errors: The descriptor that becomes its stderr; nil for nowhere.
    ///   - more: Other descriptors that it gets, from 3 on without a gap, by the number that each has there.
    ///   - leadsGroup: The program and what it starts are a process group of their own, so that all of them
    ///     can be ended at once.
    ///   - leadsSession: The same, without a terminal.
    /// - Returns: Its number, which the caller waits for.
    /// - Throws: What the system says when it cannot be started.
    package static func start(
        _ path: String,
        _ arguments: [String],
        _ environment: [String],
        input: Int32,
        output: Int32?,
        errors: Int32? = nil,
        more: [(number: Int32, descriptor: Int32)] = [],
        leadsGroup: Bool = false,
        leadsSession: Bool = false
    ) throws(ProgramError) -> Int32 {
        let plan = SpawnPlan()
        plan.give(input, as: STDIN_FILENO)
        if let output { plan.give(output, as: STDOUT_FILENO) } else { plan.giveNothing(as: STDOUT_FILENO) }
        if let errors { plan.give(errors, as: STDERR_FILENO) } else { plan.giveNothing(as: STDERR_FILENO) }
        for (number, descriptor) in more { plan.give(descriptor, as: number) }
        plan.close(from: 3 + Int32(more.count))
        plan.resetSignals()
        if leadsGroup { plan.leadGroup() }
        if leadsSession { plan.leadSession() }
        return try plan.start([path] + arguments, environment)
    }
}
