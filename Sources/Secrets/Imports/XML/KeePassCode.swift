/// Joins the strings of a KeePass entry that make one-time passwords: the key and its settings.
///
/// The result is one `otpauth:` or `steam:` address. Settings in an unknown form stay as they are.
struct KeePassCode {
    private static let strings = [
        "TimeOtp-Secret-Base32", "TimeOtp-Length", "TimeOtp-Period", "TimeOtp-Algorithm",
        "HmacOtp-Secret-Base32", "HmacOtp-Counter", "TOTP Seed", "TOTP Settings",
    ]

    private let bytes: DocumentBytes
    private var found: [String: CandidateField] = [:]

    /// Replaces the strings by one field with the address.
    static func join(in candidate: inout Candidate, _ bytes: DocumentBytes) {
        guard candidate[.oneTimePassword] == nil else { return }
        var code = KeePassCode(bytes: bytes)
        for name in strings {
            if let field = candidate[.named(name)] { code.found[name] = field }
        }
        guard let (field, used) = code.field() else { return }
        candidate.fields.removeAll { own in used.contains { own.role == .named($0) } }
        candidate.fields.append(field)
    }

    private init(bytes: DocumentBytes) { self.bytes = bytes }

    private func field() -> (CandidateField, used: [String])? {
        if let key = found["TimeOtp-Secret-Base32"] { return timed(key) }
        if let key = found["HmacOtp-Secret-Base32"], let counter = number("HmacOtp-Counter", orElse: "0") {
            let (before, after) = ("otpauth://hotp/?secret=", "&counter=\(counter)")
            return (made(key, before, after), ["HmacOtp-Secret-Base32", "HmacOtp-Counter"])
        }
        guard let key = found["TOTP Seed"] else { return nil }
        let settings = (text("TOTP Settings") ?? "30;6").split(
            separator: ";",
            omittingEmptySubsequences: false
        )
        guard settings.count >= 2, settings[0].allSatisfy(\.isNumber) else { return nil }
        let used = ["TOTP Seed", "TOTP Settings"]
        guard settings[1] != "S" else { return (made(key, "steam://", ""), used) }
        guard settings[1].allSatisfy(\.isNumber) else { return nil }
        let after = "&period=\(settings[0])&digits=\(settings[1])"
        return (made(key, "otpauth://totp/?secret=", after), used)
    }

    private func timed(_ key: CandidateField) -> (CandidateField, used: [String])? {
        let hashes = ["HMAC-SHA-1": "SHA1", "HMAC-SHA-256": "SHA256", "HMAC-SHA-512": "SHA512"]
        guard let digits = number("TimeOtp-Length", orElse: "6"),
            let period = number("TimeOtp-Period", orElse: "30"),
            let hash = hashes[text("TimeOtp-Algorithm") ?? "HMAC-SHA-1"]
        else { return nil }
        let after = "&digits=\(digits)&period=\(period)&algorithm=\(hash)"
        let used = ["TimeOtp-Secret-Base32", "TimeOtp-Length", "TimeOtp-Period", "TimeOtp-Algorithm"]
        return (made(key, "otpauth://totp/?secret=", after), used)
    }

    private func made(_ key: CandidateField, _ before: String, _ after: String) -> CandidateField {
        CandidateField(.oneTimePassword, key.value, isHidden: true, before: before, after: after)
    }

    private func text(_ name: String) -> String? {
        found[name].flatMap { bytes.name(bytes.trimmed($0.value)) }
    }

    /// Reads digits as they are written; nil for any other text.
    private func number(_ name: String, orElse usual: String) -> String? {
        guard let text = text(name) else { return found[name] == nil ? usual : nil }
        return text.utf8.count <= 20 && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? text : nil
    }
}
