internal import VaultCrypto

/// What an entry says once it is open.
struct EntryContent: Sendable {
    /// What kind of entry it is.
    enum Kind: UInt8, Sendable {
        case change = 1
        case rekey = 2
        case snapshotPart = 3
    }

    private static let version: UInt8 = 1
    /// Bytes before the body.
    private static let headSize = 2 + 16 + 8 + 8 + 2 + 2 + 32 + 4

    /// What kind.
    let kind: Kind
    /// Who wrote it.
    let author: MachineID
    /// When, in milliseconds of the Unix clock of its author.
    let time: UInt64
    /// The generation of its author's vault.
    let generation: UInt64
    /// Which part of a whole it is, from 0 on.
    let part: UInt16
    /// Of how many.
    let parts: UInt16
    /// The digest of the state behind it; zeros for a part that is not the last.
    let digest: [UInt8]
    /// What it says.
    let body: Secret

    /// Whether the whole ends with it.
    var isLast: Bool { part + 1 == parts }

    /// Reads and verifies a content.
    ///
    /// - Parameters:
    ///   - content: what the entry was opened to.
    ///   - frame: the entry.
    ///   - key: gives the signing key of an author; nil when it is no member.
    /// - Throws: `newerEntry`; `logTampered` for another form or a stranger; `badSignature`.
    init(
        _ content: Secret,
        of frame: EntryFrame,
        key: (MachineID) -> [UInt8]?
    ) throws(LogError) {
        let unsigned: Int
        let signature: [UInt8]
        (self, unsigned, signature) = try Self.read(content)
        guard part < parts, (kind == .rekey) == (frame.boxes != nil), kind != .rekey || parts == 1 else {
            throw LogError(.logTampered)
        }
        guard isLast || digest.allSatisfy({ $0 == 0 }) else { throw LogError(.logTampered) }
        guard let key = key(author) else { throw LogError(.logTampered) }
        let message = try Self.message(frame.open, content, unsigned)
        guard Signing.isValid(signature, message: message, publicKey: key) else {
            throw LogError(.badSignature, by: author)
        }
    }

    /// What a content says, before it is known whether its author signed it.
    ///
    /// - Throws: `newerEntry`; `logTampered` for another form.
    static func unverified(_ content: Secret) throws(LogError) -> EntryContent { try read(content).content }

    private static func read(
        _ content: Secret
    ) throws(LogError) -> (content: EntryContent, unsigned: Int, signature: [UInt8]) {
        var reader = LogReader(content)
        guard try reader.byte() == Self.version else { throw LogError(.newerEntry) }
        guard let kind = Kind(rawValue: try reader.byte()) else { throw LogError(.newerEntry) }
        let read = EntryContent(
            kind: kind,
            author: try reader.identifier(),
            time: try reader.uint64(),
            generation: try reader.uint64(),
            part: try reader.uint16(),
            parts: try reader.uint16(),
            digest: try reader.take(32),
            body: try reader.part(limit: LogLimits.entry)
        )
        let unsigned = reader.position
        let signature = try reader.take(Signing.signatureSize)
        try reader.finish()
        return (read, unsigned, signature)
    }

    private init(
        kind: Kind,
        author: MachineID,
        time: UInt64,
        generation: UInt64,
        part: UInt16,
        parts: UInt16,
        digest: [UInt8],
        body: Secret
    ) {
        self.kind = kind
        self.author = author
        self.time = time
        self.generation = generation
        self.part = part
        self.parts = parts
        self.digest = digest
        self.body = body
    }

    /// What an author signs.
    private static func message(
        _ open: ArraySlice<UInt8>,
        _ content: Secret,
        _ count: Int
    ) throws(LogError) -> SecretBytes {
        let head = LogLabel.sigEntry.bytes + Hash.sha256(open)
        return try primitives { () throws(CryptoError) in
            try SecretBytes.joined(head, try content.part(0..<count))
        }
    }

    /// What an author says, before it is sealed.
    struct Draft: Sendable {
        let kind: Kind
        let time: UInt64
        let generation: UInt64
        var part: UInt16 = 0
        var parts: UInt16 = 1
        let digest: [UInt8]
        let body: Secret

        /// Signs it for an entry with these bytes before the ciphertext.
        func signed(_ open: [UInt8], by keys: MachineKeys) throws(LogError) -> Secret {
            guard body.count <= LogLimits.entry else { throw LogError(.logTooLarge) }
            var writer = try LogWriter()
            try writer.raw([EntryContent.version, kind.rawValue])
            try writer.raw(keys.id.bytes)
            try writer.number(time)
            try writer.number(generation)
            try writer.number(part)
            try writer.number(parts)
            try writer.raw(digest)
            try writer.number(UInt32(body.count))
            try writer.raw(body)
            let unsigned = try writer.content()
            let message = try EntryContent.message(open[...], unsigned, unsigned.count)
            let signature = try primitives { () throws(CryptoError) in
                try Signing.sign(message, seed: keys.seed)
            }
            return Secret(
                try primitives { () throws(CryptoError) in try SecretBytes.joined(unsigned, signature) }
            )
        }
    }
}
