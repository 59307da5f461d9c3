internal import Presentation
internal import SSHFormats
internal import VaultKit

/// The texts that people read before they trust a host, and if they should not trust it.
struct HostKeyWords {
    let judgement: HostKeyJudgement
    let context: Context

    init(_ judgement: HostKeyJudgement, _ context: Context) {
        self.judgement = judgement
        self.context = context
    }

    private var target: HostTarget { judgement.target }
    /// The word to type for the host.
    private var word: String { ShellWord.quoted(target.word) }

    /// The keys with their pictures, and the key that the host had before: for a question.
    func introduction(_ keys: [PublicKey]) -> [String] {
        let what = keys.count == 1 ? "a key" : "\(keys.count) keys"
        let whose = judgement.isProbed ? "\(target.shown) shows \(what)" : "\(what) for \(target.shown)"
        var lines = ["\(whose):"] + Self.aligned(keys.map { ("", $0, "") }) + pictures(keys)
        if judgement.trusted.isEmpty, let before = judgement.history.first {
            lines.append(
                "This host had another key: \(HostKeyCells.words(before.key)), "
                    + HostKeyCells.provenance(before, context.now)
            )
        }
        return lines
    }

    /// The trusted, revoked and offered keys, one below the other.
    func comparison(_ offered: [PublicKey]) -> [String] {
        let trusted = judgement.trusted.map {
            ("trusted", $0.key, HostKeyCells.provenance($0, context.now))
        }
        let revoked = judgement.marks.map { ("revoked", $0.key, HostKeyCells.provenance($0, context.now)) }
        return Self.aligned(trusted + revoked + offered.map { ("offered", $0, "now") })
    }

    /// The pictures of keys, and where to get fingerprints.
    func pictures(_ keys: [PublicKey]) -> [String] {
        Self.pictures(of: keys) + (judgement.isProbed ? Self.advice : [])
    }

    /// The error for a key that differs from the trusted one.
    func changed() -> Failure {
        refusal(
            .hostKeyChanged,
            judgement.isProbed
                ? "the host key of \(target.shown) CHANGED; nothing was done"
                : "\(target.shown) is known by another key; nothing was done",
            hint: "hsip ssh host replace-key \(word)  asks for the fingerprint you were given",
            comparison(judgement.keys(.changed) + judgement.keys(.additional))
                + ["The server was reinstalled, or someone is in between."] + Self.advice
        )
    }

    /// The command that accepts a further key of a known host.
    var adding: String {
        "hsip ssh host trust \(word) --additional --expect SHA256:…  after you compared"
    }

    /// The error for another key beside a trusted one, without `--additional`.
    func additional() -> Failure {
        refusal(
            .hostKeyChanged,
            "\(target.shown) shows another key beside its trusted key; nothing was done",
            hint: adding,
            comparison(judgement.keys(.additional))
                + ["Showing the trusted key proves nothing: someone in between can show the same key."]
                + Self.advice
        )
    }

    /// The error for a revoked key, which must never be accepted.
    func revoked() -> Failure {
        var lines = Self.aligned(judgement.keys(.revoked).map { ("revoked", $0, "") })
        let behind = judgement.keys.filter { $0.verdict == .revoked }.flatMap(\.lines)
        // A mark for the name without the port does not belong to this name, and cannot be removed with it.
        if let mark = judgement.marks.first(where: behind.contains) {
            lines += [
                "If the key was revoked by mistake:",
                "  hsip ssh host rm \(word) --fingerprint \(mark.key.fingerprint)",
            ]
        }
        return refusal(
            .hostKeyRevoked,
            judgement.isProbed
                ? "\(target.shown) shows a key that is REVOKED; nothing was done"
                : "the key is REVOKED for \(target.shown); nothing was done",
            hint: judgement.isReplaceable
                ? "hsip ssh host replace-key \(word)  once the host has a new key"
                : "hsip ssh host trust \(word)  once the host has a new key",
            lines
        )
    }

    /// The error if another key is to replace the trusted one and hsip cannot ask for its fingerprint.
    func uncompared(keyFile: String?) -> Failure {
        let file = keyFile.map { " --key \(ShellWord.quoted($0))" } ?? ""
        let offered = judgement.keys.filter { $0.verdict != .match && $0.verdict != .revoked }.map(\.key)
        return refusal(
            .trustRequired,
            "the new key of \(target.shown) must be compared, and hsip cannot ask; nothing was done",
            hint: "hsip ssh host replace-key \(word)\(file) --expect SHA256:…  after you compared",
            comparison(offered) + Self.advice
        )
    }

    /// The error if the user has not trusted the keys and hsip cannot ask.
    func unasked() -> Failure {
        refusal(
            .trustRequired,
            "the host \(target.shown) is not known, and hsip cannot ask",
            hint: "hsip ssh host trust \(word) --expect SHA256:…  after you compared",
            Self.aligned(judgement.keys(.new).map { ("offered", $0, "") }) + Self.advice
        )
    }

    /// The error if no key has the expected fingerprint.
    func differs() -> Failure {
        refusal(
            .fingerprintDiffers,
            "no key of \(target.shown) has the fingerprint that was expected; nothing was done",
            hint: "hsip ssh host show \(word)",
            Self.aligned(judgement.keys.map { ("offered", $0.key, "") })
        )
    }

    private func refusal(_ name: ErrorName, _ message: String, hint: String, _ lines: [String]) -> Failure {
        Failure(name, message, hint: hint, details: .hostKeyJudgement(judgement), lines: lines)
    }

    /// One line for each key: a word, its type, its fingerprint and a remark.
    private static func aligned(_ keys: [(word: String, key: PublicKey, remark: String)]) -> [String] {
        let width = keys.map { HostKeyCells.type($0.key).shown.count }.max() ?? 0
        return keys.map { word, key, remark in
            let type = HostKeyCells.type(key).shown
            let gap = String(repeating: " ", count: width - type.count)
            return (word.isEmpty ? "  " : word + "  ") + "\(type)\(gap)  \(key.fingerprint)"
                + (remark.isEmpty ? "" : "  \(remark)")
        }
    }

    /// Where to get fingerprints.
    private static let advice = [
        "Get the fingerprint from the owner or the server's console:",
        "  ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub",
    ]

    /// Pictures side by side, at most three in a row.
    private static func pictures(of keys: [PublicKey]) -> [String] {
        stride(from: 0, to: keys.count, by: 3).flatMap { start -> [String] in
            let pictures = keys[start..<min(start + 3, keys.count)].map { Randomart.lines(of: $0) }
            guard let height = pictures.first?.count else { return [] }
            return (0..<height).map { row in "  " + pictures.map { $0[row] }.joined(separator: "  ") }
        }
    }
}
