internal import Presentation
internal import SSHFormats
internal import Text
internal import VaultKit

/// The texts about a host key that is not simply trusted.
struct HostKeyTexts {
    let context: Context
    let name: HostName
    /// The key that the host offers.
    let offered: PublicKey
    /// The profile whose keys are stored under this name, or the name itself.
    let target: HostTarget
    /// The marks of revoked keys, which must never be accepted for this host.
    private let marks: [HostKeySummary]
    /// The details for scripts.
    private let details: JSONValue

    init(_ context: Context, _ vault: any VaultService, _ name: HostName, offered: PublicKey) async {
        self.context = context
        self.name = name
        self.offered = offered
        let hosts = (try? await vault(Operations.sshHosts, .kept)) ?? []
        let profile = hosts.first { $0.profile.lookupName.lookup == name.lookup }
        target = profile.map { HostTarget($0) } ?? HostTarget(name)
        let judgement = try? await HostKeyJudgement([offered], of: target, isProbed: false, vault)
        marks = judgement?.marks ?? []
        details = judgement.map { .hostKeyJudgement($0) } ?? .null
    }

    /// The text that people read before they trust a key for the first time.
    ///
    /// - Parameters:
    ///   - history: Lines of this name with the same key that have become invalid.
    ///   - others: Names that the same key is known under.
    ///   - withoutPort: Other keys that the same host is known by without the port.
    ///   - refusal: Why a certificate is treated as its plain key.
    /// - Returns: Lines for the screen, with the picture of the key.
    func introduction(
        history: [HostKeySummary],
        others: [String],
        withoutPort: [PublicKey],
        refusal: CertificateRefusal?
    ) -> [String] {
        var lines = ["The host \(name.lookup) is not known yet. Its key:"]
        lines.append("  \(HostKeyCells.words(offered))")
        lines += Randomart.lines(of: offered.plain).map { "  \($0)" }
        if !others.isEmpty {
            let more = others.count > 3 ? " and \(others.count - 3) more" : ""
            lines.append("These hosts have the same key: \(others.prefix(3).joined(separator: ", "))\(more).")
        }
        if case .objections(let objections) = refusal {
            let words = objections.map(Self.words).joined(separator: ", ")
            lines.append("The certificate of a trusted authority is not valid here: \(words).")
        }
        for key in withoutPort {
            lines.append("Without the port, \(name.name) has another key: \(HostKeyCells.words(key))")
        }
        if let last = history.last {
            lines.append("The host was known before: \(HostKeyCells.provenance(last, context.now)).")
        }
        lines.append("Compare the fingerprint with the owner's or the host's own console:")
        lines.append("  \(console)")
        return lines
    }

    /// The error if the host is new and hsip cannot ask.
    ///
    /// `refusal` says why a certificate is treated as its plain key.
    func trustRequired(_ refusal: CertificateRefusal?) -> Failure {
        var known = "the host \(name.lookup) is not known"
        if case .objections(let objections) = refusal {
            let words = objections.map(Self.words).joined(separator: ", ")
            known =
                "the certificate of \(name.lookup) is not valid, although a trusted authority signed: \(words)"
        }
        return Failure(
            .trustRequired,
            "\(known), and hsip cannot ask; stopped before any login",
            hint: "hsip ssh host trust \(ShellWord.quoted(target.word))",
            details: details,
            lines: ["offered    \(HostKeyCells.words(offered))"]
        )
    }

    /// The error if the host is new and the person did not trust it.
    func declined() -> Failure {
        var failure = Failure(
            .denied,
            "Cancelled. The key of \(name.lookup) is not trusted, and hsip stopped before any login.",
            details: details
        )
        failure.isCancellation = true
        return failure
    }

    /// The error if the host has another key than the trusted one.
    ///
    /// It has no command that removes the old key: people would paste that without comparing the new key.
    func changed(_ trusted: [HostKeySummary]) -> Failure {
        let width = (trusted.map(\.key) + [offered]).map { HostKeyCells.words($0).count }.max() ?? 0
        func row(_ word: String, _ key: PublicKey, _ when: String) -> String {
            let title = HostKeyCells.words(key)
            return "\(word)    \(title)\(String(repeating: " ", count: width - title.count))   \(when)"
        }
        // If a key is revoked, its trusting line stays in the vault, but the mark overrules it.
        var lines = trusted.map { line in
            let mark = marks.first { $0.key.isSameKey(as: line.key) }
            let when = HostKeyCells.provenance(mark ?? line, context.now)
            return row(mark == nil ? "trusted" : "revoked", line.key, when)
        }
        lines.append(row("offered", offered, "now"))
        if !trusted.contains(where: { $0.key.algorithm == offered.plain.algorithm }) {
            lines.append(
                "The host is known by a key of another type. Ask its owner whether this key is the host's, too."
            )
        }
        return Failure(
            .hostKeyChanged,
            "the host key of \(name.lookup) CHANGED; stopped before any login",
            hint:
                "hsip ssh host replace-key \(ShellWord.quoted(target.word))  asks for the fingerprint you were given",
            details: details,
            lines: lines + [
                "The server was reinstalled, or someone is in between. Get the fingerprint from the owner or the server's console:",
                "  \(console)",
            ]
        )
    }

    private static func words(_ objection: Certificate.Objection) -> String {
        switch objection {
        case .otherKind: "for users"
        case .notYetValid(let time): "valid from \(Times.date(Int64(clamping: time)))"
        case .expired(let time): "expired \(Times.date(Int64(clamping: time)))"
        case .otherPrincipal: "for other hosts"
        case .unknownCriticalOptions: "unknown critical options"
        case .badSignature: "not signed by the authority"
        }
    }

    /// The command that shows the fingerprint on the machine itself.
    private var console: String {
        let type = offered.plain.algorithm.shortName.prefix { $0 != "-" }.lowercased()
        return "ssh-keygen -lf /etc/ssh/ssh_host_\(type == "unknown" ? "*" : type)_key.pub"
    }
}
