package import System

/// The user's systemd.
package struct ServiceControl {
    private let environment: Environment

    package init(_ environment: Environment) { self.environment = environment }

    /// Has it do something; false where it is not there, or refuses.
    package func tell(_ words: [String]) -> Bool {
        output(["--quiet"] + words, keepsOutput: false) != nil
    }

    /// Properties of a unit by their names; nil where systemd does not answer.
    package func show(_ properties: [String], of unit: String) -> [String: String]? {
        let words = ["show", "--property=\(properties.joined(separator: ","))", "--", unit]
        guard let output = output(words, keepsOutput: true) else { return nil }
        var found: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
        }
        return found
    }

    /// What it says; nil where it is not there, or refuses.
    private func output(_ words: [String], keepsOutput: Bool) -> String? {
        guard let tool = ChildProcess.find("systemctl", in: environment) else { return nil }
        var process = ChildProcess(path: tool)
        process.arguments = ["--user"] + words
        process.keepsOutput = keepsOutput
        process.seconds = 30
        for name in ["PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME"] {
            if let value = environment[name] { process.environment.append("\(name)=\(value)") }
        }
        guard let end = try? process.run(), end.status == 0 else { return nil }
        return String(decoding: end.output, as: UTF8.self)
    }
}
