package import Presentation
package import SSHFormats
package import System

/// ssh as the reader of its settings: `ssh -G` tells what it would use for a host, and connects to nothing.
package struct SSHReading {
    /// A name that no profile has: what ssh says of it holds for every other host.
    package static let stranger = "hsip-setup.invalid"

    private let tool: String
    private let environment: Environment

    /// - Throws: `unavailable` without ssh.
    package init(_ environment: Environment) throws(Failure) {
        guard let tool = ChildProcess.find("ssh", in: environment) else {
            throw Failure(.unavailable, "ssh is not installed", hint: "apt install openssh-client")
        }
        self.tool = tool
        self.environment = environment
    }

    /// What ssh would use, by keyword in lower case; nil where it refuses the settings.
    ///
    /// `config` is the text of a file of settings; nil for those that ssh reads by itself. Throws as
    /// `ChildProcess.run`.
    package func settings(for host: String, in config: [UInt8]?) throws(ConsoleError) -> [String: [String]]? {
        var process = ChildProcess(path: tool)
        process.arguments = ["-G"] + (config == nil ? [] : ["-F", "/dev/stdin"]) + [host]
        process.input = config ?? []
        process.environment = variables
        let (status, output) = try process.run()
        guard status == 0 else { return nil }
        var settings: [String: [String]] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            settings[String(words[0]), default: []].append(String(words[1]))
        }
        return settings
    }

    /// Where ssh would do something else than a fragment says: `db1: Port`.
    ///
    /// - Returns: nil where ssh refuses the settings altogether.
    package func differences(_ fragment: SSHConfigFragment, in config: [UInt8]?) throws(ConsoleError)
        -> [String]?
    {
        let common = fragment.blocks.filter { $0.alias == nil }.flatMap(\.settings)
        var found: [String] = []
        for block in fragment.blocks {
            guard let said = try settings(for: block.alias ?? Self.stranger, in: config) else { return nil }
            let wanted = block.alias == nil ? common : block.settings + common
            // Some may stand there several times; ours come first, in their order.
            var seen: [String: Int] = [:]
            for setting in wanted {
                let values = said[setting.keyword.lowercased()] ?? []
                let place = seen[setting.keyword, default: 0]
                seen[setting.keyword] = place + 1
                guard values.dropFirst(place).first != setting.meaning else { continue }
                found.append("\(block.alias ?? "other hosts"): \(setting.keyword)")
            }
        }
        return found
    }

    /// Hosts of which ssh would not check the key, as a patch of Debian allows: Kerberos speaks for them.
    package func withoutHostKeys(_ hosts: [String], in config: [UInt8]?) throws(ConsoleError) -> [String] {
        var found: [String] = []
        for host in hosts {
            let said = try settings(for: host, in: config)?["gssapikeyexchange"]
            if said?.first == "yes" { found.append(host) }
        }
        return found
    }

    private var variables: [String] {
        var variables = ["LC_ALL=C.UTF-8"]
        for name in ["PATH", "HOME", "USER", "LOGNAME"] {
            if let value = environment[name] { variables.append("\(name)=\(value)") }
        }
        return variables
    }
}

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
