internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultKit

/// The keys that a machine shows before any login: OpenSSH's `ssh-keyscan` asks for one of each type and
/// closes the connection before anything is sent that could log in.
///
/// An attacker in between can show any public key: what a probe shows is no proof until the user has compared
/// it.
struct HostProbe {
    /// Seconds, unless `--timeout` says otherwise.
    static let patience = 30
    private static let longest = 3_600
    /// How much longer than this program the tool would wait, if no process were left to stop it.
    private static let grace = 5

    let environment: Environment
    let seconds: Int

    /// - Throws: usage for a time that is none.
    init(_ context: Context, timeout: String?) throws(Failure) {
        environment = context.environment
        guard let timeout else {
            seconds = Self.patience
            return
        }
        let given = Int64(timeout) ?? Durations.parse(timeout)
        guard let given, (1...Int64(Self.longest)).contains(given) else {
            throw Failure.usage(
                "--timeout must be 1 to \(Self.longest) seconds",
                hint: "--timeout \(Self.patience)"
            )
        }
        seconds = Int(given)
    }

    /// The keys of a machine, those that people compare most first.
    ///
    /// The tool is stopped at the deadline, by Ctrl-C, and by every other end of this program.
    ///
    /// - Parameters:
    ///   - host: The machine and its port.
    ///   - asCertificates: Its certificates in the place of plain keys; none is no failure then.
    /// - Returns: Each key once, without a comment.
    /// - Throws: `hostNotReached` when no key came; `timedOut`; `interrupted`; `unavailable` without the
    ///   tool.
    func keys(of host: HostName, asCertificates: Bool = false) throws -> [PublicKey] {
        guard let tool = ChildProcess.find("ssh-keyscan", in: environment) else { throw Self.missing }
        var process = ChildProcess(path: tool)
        process.arguments =
            (asCertificates ? ["-c"] : [])
            + ["-T", "\(seconds + Self.grace)", "-p", "\(host.port)", "--", host.name]
        process.environment = ["PATH=\(environment["PATH"] ?? "/usr/bin:/bin")", "LC_ALL=C.UTF-8"]
        process.seconds = seconds
        let signals = try SignalWatch()
        defer { signals.stop() }
        process.signals = signals
        let output = try process.run().output
        var keys: [PublicKey] = []
        for line in KnownHostsFile(output).lines {
            guard var key = asCertificates ? Self.certificate(line) : Self.key(line, of: host),
                !keys.contains(where: { $0.isSameKey(as: key) })
            else { continue }
            key.comment = []
            keys.append(key)
        }
        guard asCertificates || !keys.isEmpty else { throw Self.silent(host) }
        return keys.sorted { (Self.rank($0), $0.algorithm.name) < (Self.rank($1), $1.algorithm.name) }
    }

    private static func key(_ line: KnownHostsLine, of host: HostName) -> PublicKey? {
        guard let shown = line.host, shown.marker == nil, shown.names.matches(host) else { return nil }
        return shown.key
    }

    /// Certificates come without the name of the host.
    private static func certificate(_ line: KnownHostsLine) -> PublicKey? {
        guard let key = try? PublicKey(line: line.text), key.algorithm.isCertificate else { return nil }
        return key
    }

    private static func rank(_ key: PublicKey) -> Int {
        let names = ["ED25519", "ECDSA", "RSA"]
        return names.firstIndex(of: key.plain.algorithm.shortName) ?? names.count
    }

    private static func silent(_ host: HostName) -> Failure {
        let port = host.port == HostName.standardPort ? "" : "-p \(host.port) "
        return Failure(
            .hostNotReached,
            "\(host.lookup) shows no key: no such name, no answer, or not an ssh server",
            hint: "ssh-keyscan \(port)\(host.name)"
        )
    }

    private static var missing: Failure {
        Failure(
            .unavailable,
            "hsip needs ssh-keyscan, and ssh-keyscan is not installed",
            hint: "apt install openssh-client"
        )
    }
}

extension HostProbe {
    /// What the vault says to the keys that a host shows.
    ///
    /// Certificates are asked for only where the vault knows who may certify the host.
    func judgement(of target: HostTarget, _ vault: any VaultService) async throws -> HostKeyJudgement {
        var keys = try keys(of: target.address)
        let known = try await vault(
            Operations.knownHosts,
            [target.name, target.name.withoutPort].compactMap(\.self)
        )
        if known.contains(where: { $0.marker == .authority }) {
            keys = try self.keys(of: target.address, asCertificates: true) + keys
        }
        return try await HostKeyJudgement(keys, of: target, isProbed: true, vault)
    }
}
