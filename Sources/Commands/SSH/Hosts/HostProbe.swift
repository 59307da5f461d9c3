internal import Presentation
internal import SSHFormats
internal import System
internal import Text
internal import VaultKit

/// The keys that a machine shows before any login.
///
/// OpenSSH's `ssh-keyscan` asks for one key of each type, and closes the connection before it sends anything
/// that could log in.
///
/// An attacker in between can show any public key, so a probe proves nothing until the user has compared the
/// key.
struct HostProbe {
    /// The timeout in seconds, if `--timeout` does not set another.
    static let patience = 30
    private static let longest = 3_600
    /// Seconds that the tool waits longer than this program: so the tool ends even if this program is killed.
    private static let grace = 5

    let environment: Environment
    let seconds: Int

    /// - Throws: usage for an invalid time.
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

    /// The keys of a machine, the ones that people compare most first.
    ///
    /// The tool stops at the deadline, at Ctrl-C, and with this program.
    ///
    /// - Parameters:
    ///   - host: The machine and its port.
    ///   - asCertificates: Whether to get certificates instead of plain keys; then an empty result is not an
    ///     error.
    /// - Returns: Each key once, without a comment.
    /// - Throws: `hostNotReached` if no key came; `timedOut`; `interrupted`; `unavailable` without the tool.
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

    /// Reads a certificate, whose line has no host name.
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
    /// The vault's judgement on the keys that a host shows.
    ///
    /// Asks for certificates only if the vault knows an authority for the host.
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
