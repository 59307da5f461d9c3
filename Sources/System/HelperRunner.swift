/// Starts the helper programs, each with the few variables it needs.
package struct HelperRunner {
    package let environment: Environment

    /// Variables without which a program finds no display, no camera permission and no UTF-8.
    private static let display = ["WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME"]

    package init(environment: Environment) {
        self.environment = environment
    }

    /// The process, ready to be given input and run.
    ///
    /// It gets the variables by which a display is found where it needs one, those that are passed by their names where
    /// they are set, and those of `settings` in any case.
    package func process(
        _ program: HelperProgram,
        _ arguments: [String],
        needsDisplay: Bool = false,
        passing names: [String] = [],
        setting settings: [String: String] = [:]
    ) throws(ProgramError) -> ChildProcess {
        guard let path = ChildProcess.find(program.executable, in: environment) else {
            throw .missingProgram(program)
        }
        var process = ChildProcess(path: path)
        process.arguments = arguments
        var variables = ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        for name in names + (needsDisplay ? Self.display : []) {
            variables[name] = environment[name]
        }
        variables.merge(settings) { $1 }
        process.environment = variables.map { "\($0.key)=\($0.value)" }.sorted()
        return process
    }
}
