internal import Glibc

extension ChildProcess {
    /// Starts a program with the named descriptors and environment variables only, and with default signal handling.
    ///
    /// - Parameters:
    ///   - path: The file of the program, and its `argv[0]`.
    ///   - arguments: The arguments after `argv[0]`.
    ///   - environment: The variables, as `NAME=value`.
    ///   - input: The descriptor that becomes its stdin.
    ///   - output: The descriptor that becomes its stdout; nil for `/dev/null`.
    ///   - errors: The descriptor that becomes its stderr; nil for `/dev/null`.
    ///   - more: Other descriptors, with the numbers that they get in the child: from 3 on, without a gap.
    ///   - leadsGroup: True to start a process group, so that the program and its children can be ended at once.
    ///   - leadsSession: True to start a session: a process group without a terminal.
    /// - Returns: The process ID, which the caller waits for.
    /// - Throws: The error of the system if the program cannot be started.
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
