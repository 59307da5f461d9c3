internal import RecordStore
public import SSHFormats
internal import VaultCrypto

/// What may be shown of a key in the vault; nothing secret was opened for it.
public struct KeySummary: Sendable, Hashable, Codable {
    /// Its name in the vault.
    public let name: String
    /// Its SHA-256 fingerprint as text.
    public let fingerprint: String
    /// Its type.
    public let algorithm: KeyAlgorithm
    /// Bits as `ssh-keygen -l` counts them; nil for an unknown type.
    public let bits: Int?
    /// Its public half on the wire; empty for a key too long to be listed, which `sshKey` shows.
    public let blob: [UInt8]
    /// The comment of the key, any bytes; at most the first 1,024 of them.
    public let comment: [UInt8]
    /// The state of the key.
    public let state: KeyRecord.State
    /// The origin of the key.
    public let origin: KeyRecord.Origin
    /// The conditions for the use of the key.
    public let use: KeyUse
    /// The number of certificates.
    public let certificates: Int
    /// The earliest expiry among certificates that no later one renews, Unix seconds.
    public let certificateEnd: UInt64?
    /// Time when the key was added to the vault, Unix seconds.
    public let created: UInt64
    /// When it was last changed, Unix seconds.
    public let modified: UInt64
    /// When it was replaced, Unix seconds.
    public let retiredAt: UInt64?
    /// When it was put into the trash, Unix seconds.
    public let removedAt: UInt64?

    /// The summary of a record by what is searchable in it.
    init(_ info: RecordInfo) {
        let attributes = info.attributes
        name = info.id.name
        fingerprint = attributes["fingerprint"] ?? ""
        algorithm = KeyAlgorithm(name: attributes["type"] ?? "")
        bits = attributes["bits"].flatMap { Int($0) }
        blob = attributes.bytes("public") ?? []
        comment = attributes.bytes("comment") ?? []
        let stored = KeyRecord.State.allCases.first { $0.word == attributes["state"] } ?? .aside
        // Earlier versions kept security keys aside, and records still say so.
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

    /// Whether it may be used now.
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

/// All that is public of a key in the vault.
public struct PublicHalf: Sendable, Codable {
    /// What lists show of it.
    public let summary: KeySummary
    /// The public key, with its whole comment.
    public let publicKey: PublicKey
    /// User certificates of the key, in the order in which they came.
    public let certificates: [PublicKey]
    /// Whether the file that it came from had a passphrase.
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
    /// It is in the vault now; it was read back, and is the same.
    case stored(KeySummary)
    /// It was in the vault before; nothing but new certificates was added.
    case known(KeySummary, newCertificates: Int)
    /// It was in the trash and is out of it, as it was; nothing but new certificates was added.
    case restored(KeySummary, newCertificates: Int)

    /// The key, as it is now.
    public var key: KeySummary {
        switch self {
        case .stored(let key), .known(let key, _), .restored(let key, _): key
        }
    }
}
