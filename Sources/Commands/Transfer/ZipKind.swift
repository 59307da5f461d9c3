internal import Presentation
internal import VaultCrypto

/// The program that made a ZIP file, found by the names of the files in it, which a ZIP file stores as plain text.
///
/// hsip never unpacks a ZIP file: another program does that, and its content need not touch a disk.
enum ZipKind: CaseIterable {
    case onePassword, protonPass, protonPassSealed, bitwarden, other

    /// Whether bytes are the beginning of a ZIP file, even of an empty one.
    static func isZip(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) || beginning.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// The kind of a file that may be too long to read, by its file name.
    init(path: String) { self = path.lowercased().hasSuffix(".1pux") ? .onePassword : .other }

    /// The kind of a file, by its content.
    init(_ file: borrowing some ByteSource & ~Copyable) {
        self = file.withBytes { span in
            Self.allCases.first { kind in kind.name.map { Self.has($0, span) } ?? true } ?? .other
        }
    }

    /// The error for a ZIP file: its hint imports the files in it one by one, through a pipe.
    func refusal(of path: String) -> Failure {
        let file = path == "-" ? "FILE" : ShellWord.path(path)
        let (what, part) =
            switch self {
            case .onePassword: ("a ZIP file of 1Password (1PUX)", "export.data | hsip vault import -")
            case .protonPass: ("a ZIP file of Proton Pass", "'Proton Pass/data.json' | hsip vault import -")
            case .protonPassSealed:
                (
                    "an encrypted ZIP file of Proton Pass",
                    "'Proton Pass/data.pgp' | gpg --decrypt | hsip vault import -"
                )
            case .bitwarden: ("a ZIP file of Bitwarden", "data.json | hsip vault import -")
            case .other: ("a ZIP file", "NAME | hsip vault import -")
            }
        return Failure(
            .zippedImport,
            "the file is \(what); import its content through a pipe",
            hint: "unzip -p \(file) \(part)"
        )
    }

    /// The name of the file that holds the entries; nil if it is not known.
    private var name: [UInt8]? {
        switch self {
        case .onePassword: Array("export.data".utf8)
        case .protonPass: Array("Proton Pass/data.json".utf8)
        case .protonPassSealed: Array("Proton Pass/data.pgp".utf8)
        case .bitwarden: Array("data.json".utf8)
        case .other: nil
        }
    }

    private static func has(_ word: [UInt8], _ span: borrowing RawSpan) -> Bool {
        guard span.byteCount >= word.count else { return false }
        for start in 0...span.byteCount - word.count where span.byte(at: start) == word[0] {
            var end = 1
            while end < word.count, span.byte(at: start + end) == word[end] { end += 1 }
            if end == word.count { return true }
        }
        return false
    }
}
