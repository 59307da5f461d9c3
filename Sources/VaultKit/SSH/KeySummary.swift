internal import RecordStore
public import SSHFormats
internal import VaultCrypto

/// The facts about a key of the vault that may be shown; they need no access to its private half.
public struct KeySummary: Sendable, Hashable, Codable {
    /// The name of the key in the vault.
    public let name: String
    /// The SHA-256 fingerprint as text.
    public let fingerprint: String
    /// The algorithm of the key.
    public let algorithm: KeyAlgorithm
    /// Bits as `ssh-keygen -l` counts them; nil for an unknown type.
    public let bits: Int?
    /// The public half in SSH wire format; empty for a key too long to be listed, which `sshKey` returns.
    public let blob: [UInt8]
    /// The comment of the key: at most the first 1,024 of its bytes, of any kind.
    public let comment: [UInt8]
    /// The state of the key.
    public let state: KeyRecord.State
    /// The origin of the key.
    public let origin: KeyRecord.Origin
    /// The conditions for the use of the key.
    public let use: KeyUse
    /// The number of certificates.
    public let certificates: Int
    /// The earliest expiry among the certificates that no later certificate renews, Unix seconds.
    public let certificateEnd: UInt64?
    /// Time when the key was added to the vault, Unix seconds.
    public let created: UInt64
    /// When the key last changed, Unix seconds.
    public let modified: UInt64
    /// When the key was replaced, Unix seconds.
    public let retiredAt: UInt64?
    /// When the key was moved to the trash, Unix seconds.
    public let removedAt: UInt64?

    /// Makes the summary of a record from its searchable attributes.
    init(_ info: RecordInfo) {
        let attributes = info.attributes
        name = info.id.name
        fingerprint = attributes["fingerprint"] ?? ""
        algorithm = KeyAlgorithm(name: attributes["type"] ?? "")
        bits = attributes["bits"].flatMap { Int($0) }
        blob = attributes.bytes("public") ?? []
        comment = attributes.bytes("comment") ?? []
        let stored = KeyRecord.State.allCases.first { $0.word == attributes["state"] } ?? .aside
        // Earlier versions kept security keys aside, and their records still have that state.
        state = stored == .aside && algorithm.isSecurityKey ? .active : stored
        origin = KeyRecord.Origin.allCases.first { $0.word == attributes["origin"] } ?? .generated
        var use = KeyUse()
        use.needsConfirmation = attributes["confirm"] != nil
        use.lifetime = attributes["lifetime"].flatMap { UInt32($0) } ?? 0
        use.hosts = Self.list(attributes["only-for"])
        use.namespaces = Self.list(attributes["sign"])
        use.isLocal = attributes["local"] != nil
        self.use = use
        certificates = attributes["certificates"].flatMap { Int($0) } ?? 0
        certificateEnd = attributes["certificate-end"].flatMap { UInt64($0) }
        created = info.created / 1000
        modified = info.modified / 1000
        retiredAt = attributes["retired"].flatMap { UInt64($0) }
        removedAt = attributes["removed"].flatMap { UInt64($0) }
    }

    /// Whether the key may be used now.
    public var isInUse: Bool { state == .active && removedAt == nil }

    /// The line of a `.pub` file without a line break; nil for a key too long to be listed.
    public var line: [UInt8]? {
        guard !blob.isEmpty else { return nil }
        let key = StrictBase64.encodedBytes(blob, after: Array(algorithm.name.utf8) + [0x20])
        return comment.isEmpty ? key : key + [0x20] + comment
    }

    private static func list(_ text: String?) -> [String] {
        text.map { $0.split(separator: ",").map(String.init) } ?? []
    }
}

/// The public data of a key in the vault.
public struct PublicHalf: Sendable, Codable {
    /// The summary of the key.
    public let summary: KeySummary
    /// The public key, with its whole comment.
    public let publicKey: PublicKey
    /// The user certificates of the key, in the order in which they were added.
    public let certificates: [PublicKey]
    /// Whether the imported key file had a passphrase.
    public let hadPassphrase: Bool

    init(_ summary: KeySummary, _ record: KeyRecord) {
        self.summary = summary
        publicKey = record.publicKey
        certificates = record.certificates
        hadPassphrase = record.hadPassphrase
    }
}

/// The result of importing a key.
public enum KeyImportOutcome: Sendable, Hashable, Codable {
    /// The key is new in the vault, and was read back and compared.
    case stored(KeySummary)
    /// The key was in the vault before; only new certificates were added.
    case known(KeySummary, newCertificates: Int)
    /// The key was in the trash and is restored unchanged; only new certificates were added.
    case restored(KeySummary, newCertificates: Int)

    /// The key after the import.
    public var key: KeySummary {
        switch self {
        case .stored(let key), .known(let key, _), .restored(let key, _): key
        }
    }
}
