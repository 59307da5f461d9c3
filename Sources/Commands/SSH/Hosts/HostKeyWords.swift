internal import Presentation
internal import SSHFormats
internal import VaultKit

/// What people read before they trust a host, and when they should not.
struct HostKeyWords {
    let judgement: HostKeyJudgement
    let context: Context

    init(_ judgement: HostKeyJudgement, _ context: Context) {
        self.judgement = judgement
        self.context = context
    }

    private var target: HostTarget { judgement.target }
    /// What to type for it.
    private var word: String { ShellWord.quoted(target.word) }

    /// The keys with their pictures, and what was known before them: for a question.
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

    /// What is trusted and what is offered, one below the other.
    func comparison(_ offered: [PublicKey]) -> [String] {
        let trusted = judgement.trusted.map {
            ("trusted", $0.key, HostKeyCells.provenance($0, context.now))
        }
        let revoked = judgement.marks.map { ("revoked", $0.key, HostKeyCells.provenance($0, context.now)) }
        return Self.aligned(trusted + revoked + offered.map { ("offered", $0, "now") })
    }

    /// The pictures of keys, and where fingerprints come from.
    func pictures(_ keys: [PublicKey]) -> [String] {
        Self.pictures(of: keys) + (judgement.isProbed ? Self.advice : [])
    }

    /// Another key than the trusted one.
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

    /// How a further key of a known host is taken.
    var adding: String {
        "hsip ssh host trust \(word) --additional --expect SHA256:…  after you compared"
    }

    /// Another key beside a trusted one, which came without the word that says so.
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

    /// A key that must never be taken.
    func revoked() -> Failure {
        var lines = Self.aligned(judgement.keys(.revoked).map { ("revoked", $0, "") })
        let behind = judgement.keys.filter { $0.verdict == .revoked }.flatMap(\.lines)
        // A mark of the name without the port is not one of this name, and does not go under it.
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

    /// Another key is to take the place of the trusted one, and hsip cannot ask for its fingerprint.
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

    /// The user has not said that the keys are to be trusted, and hsip cannot ask.
    func unasked() -> Failure {
        refusal(
            .trustRequired,
            "the host \(target.shown) is not known, and hsip cannot ask",
            hint: "hsip ssh host trust \(word) --expect SHA256:…  after you compared",
            Self.aligned(judgement.keys(.new).map { ("offered", $0, "") }) + Self.advice
        )
    }

    /// No key has the fingerprint that was expected.
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

    /// Where fingerprints come from.
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
