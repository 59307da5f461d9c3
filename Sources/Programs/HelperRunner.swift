/// Starts the helper programs, each with the few variables it needs.
package struct HelperRunner {
    package let environment: Environment

    /// Variables without which a program finds no display, no camera permission and no UTF-8.
    private static let display = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME"]

    package init(environment: Environment) {
        self.environment = environment
    }

    /// The process, ready to be given input and run.
    package func process(
        _ program: HelperProgram,
        _ arguments: [String],
        needsDisplay: Bool = false
    ) throws(ProgramError) -> ChildProcess {
        guard let path = ChildProcess.find(program.executable, in: environment) else {
            throw .missingProgram(program)
        }
        var process = ChildProcess(path: path)
        process.arguments = arguments
        var variables = ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        for name in needsDisplay ? Self.display : [] {
            variables[name] = environment[name]
        }
        process.environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
        return process
    }
}
