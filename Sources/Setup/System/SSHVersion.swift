package import System

/// The version of the OpenSSH that is installed.
package struct SSHVersion: Comparable, CustomStringConvertible {
    /// The first that can ask a program about hosts (KnownHostsCommand).
    package static let asking = SSHVersion(major: 8, minor: 5)
    /// The first that asks which types of key to prefer by the very name it will look up.
    package static let askingByFullName = SSHVersion(major: 9, minor: 6)

    let major: Int
    let minor: Int

    init(major: Int, minor: Int) {
        (self.major, self.minor) = (major, minor)
    }

    /// Reads what `ssh -V` says: `OpenSSH_9.2p1 Debian-2, OpenSSL 3.0.19`; nil for another ssh.
    init?(_ text: String) {
        guard text.hasPrefix("OpenSSH_") else { return nil }
        let numbers = text.dropFirst(8).prefix { $0.isNumber || $0 == "." }.split(separator: ".")
        guard numbers.count >= 2, let major = Int(numbers[0]), let minor = Int(numbers[1]) else { return nil }
        self.init(major: major, minor: minor)
    }

    /// Asks the ssh that is found; nil where there is none, or another one.
    package static func installed(_ environment: Environment) -> SSHVersion? {
        guard let tool = ChildProcess.find("ssh", in: environment) else { return nil }
        var process = ChildProcess(path: "/bin/sh")
        // It says so on its standard error.
        process.arguments = ["-c", "exec \"$0\" -V 2>&1", tool]
        guard let answer = try? process.run(), answer.status == 0 else { return nil }
        return SSHVersion(String(decoding: answer.output, as: UTF8.self))
    }

    package var description: String { "\(major).\(minor)" }

    package static func < (one: SSHVersion, other: SSHVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }
}
