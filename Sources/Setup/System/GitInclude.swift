internal import Presentation
package import Secrets
internal import System
package import VaultCrypto

/// The lines at the end of git's settings that bring in those of the vault: put in, and taken out again byte for byte.
///
/// They stand at the end, since of several values for one setting git takes the one it reads last.
package struct GitInclude: Equatable {
    /// The file that they name, as an absolute path.
    package let file: String

    package init(file: String) { self.file = file }

    /// The lines; nil for a path that git would read as something else.
    package var text: String? {
        guard file.hasPrefix("/"), !file.contains(where: { "\"\\#;".contains($0) || $0.isNewline }) else {
            return nil
        }
        return "[include]\n\tpath = \(file)\n"
    }

    /// Whether the lines are there.
    package func stands(in settings: [UInt8]) -> Bool {
        place(in: settings) != nil
    }

    /// The settings with the lines; nil for a path that cannot be named.
    package func added(to settings: [UInt8]) -> [UInt8]? {
        guard let text else { return nil }
        let gap: [UInt8] = settings.isEmpty || settings.last == 0x0A ? [] : [0x0A]
        return settings + gap + Array(text.utf8)
    }

    /// The settings without the lines; nil where they are not there as they were put.
    ///
    /// A line feed that was missing at the end stays.
    package func removed(from settings: [UInt8]) -> [UInt8]? {
        guard let range = place(in: settings) else { return nil }
        return Array(settings[..<range.lowerBound] + settings[range.upperBound...])
    }

    private func place(in settings: [UInt8]) -> Range<Int>? {
        guard let text = text.map({ Array($0.utf8) }), settings.count >= text.count else { return nil }
        for start in (0...(settings.count - text.count)).reversed()
        where (start == 0 || settings[start - 1] == 0x0A) && settings[start...].starts(with: text) {
            return start..<(start + text.count)
        }
        return nil
    }
}

/// What git says about a credential: lines `key=value`, an empty line at the end (git-credential(1), INPUT/OUTPUT FORMAT).
package struct GitAttributes {
    /// Bytes that are read; git's own lines have 64 KiB at most.
    private static let limit = 1 << 20

    /// The attributes that are not secret; others are ignored, as git wants it.
    private(set) var texts: [String: String] = [:]
    /// The password and the refresh token.
    private(set) var secrets: [String: Secret] = [:]

    /// Whether it is about something else than a password, as a header made by another helper.
    package private(set) var hasOtherCredential = false

    /// Reads them from stdin.
    package init() throws {
        let bytes = try OwnFile.readSecret("-", limit: Self.limit)
        try self.init(bytes)
    }

    /// Reads them.
    ///
    /// - Throws: `malformedInput` for a line that is none of git's, and for a second word about the same thing: git
    ///   says each once, and an address with a line feed in it would make another host of the first (CVE-2020-5260).
    package init(_ bytes: borrowing SecretBytes) throws {
        var start = 0
        while start < bytes.count {
            let (end, equals) = bytes.withBytes { span in
                var end = start
                while end < span.byteCount, span.byte(at: end) != 0x0A { end += 1 }
                var equals = start
                while equals < end, span.byte(at: equals) != 0x3D { equals += 1 }
                return (end, equals)
            }
            guard end > start else { return }
            guard equals > start, equals < end else { throw Self.malformed }
            let name = try Self.text(bytes, start..<equals)
            let value = equals + 1..<end
            start = end + 1
            switch name {
            case "password", "oauth_refresh_token":
                guard secrets[name] == nil else { throw Self.malformed }
                secrets[name] = Secret(try bytes.slice(value))
            case "protocol", "host", "path", "username", "password_expiry_utc":
                guard texts[name] == nil else { throw Self.malformed }
                texts[name] = try Self.text(bytes, value)
            case "authtype", "credential": hasOtherCredential = true
            default: continue
            }
        }
    }

    /// The address; nil without a host.
    package var url: CredentialURL? {
        guard let host = texts["host"], let scheme = texts["protocol"] else { return nil }
        return CredentialURL(scheme: scheme, host: host, path: texts["path"] ?? "")
    }

    /// The user; empty for one that is said to have no name.
    package var username: String? { texts["username"] }
    package var password: Secret? { secrets["password"] }
    package var refreshToken: Secret? { secrets["oauth_refresh_token"] }

    /// When the password ceases to count, Unix seconds.
    package var expiry: UInt64? { texts["password_expiry_utc"].flatMap { UInt64($0) } }

    private static func text(_ bytes: borrowing SecretBytes, _ range: Range<Int>) throws(Failure) -> String {
        let text = bytes.withBytes { span in
            String(validating: range.map { span.byte(at: $0) }, as: UTF8.self)
        }
        guard let text else { throw malformed }
        return text
    }

    private static let malformed = Failure(
        .malformedInput,
        "the input is not git's credential format",
        hint: "hsip setup git"
    )
}
