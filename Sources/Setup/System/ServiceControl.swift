package import System

/// The user's systemd.
package struct ServiceControl {
    private let environment: Environment

    package init(_ environment: Environment) { self.environment = environment }

    /// Has it do something; false where it is not there, or refuses.
    package func tell(_ words: [String]) -> Bool {
        guard let tool = ChildProcess.find("systemctl", in: environment) else { return false }
        var process = ChildProcess(path: tool)
        process.arguments = ["--user", "--quiet"] + words
        process.keepsOutput = false
        process.seconds = 30
        for name in ["PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME"] {
            if let value = environment[name] { process.environment.append("\(name)=\(value)") }
        }
        return (try? process.run())?.status == 0
    }
}
