public import VaultCrypto

/// The bytes of a record `ssh.key` (Schemas/ssh-records.md).
extension KeyRecord {
    private static let version: UInt8 = 1
    private static let longestComment = 512 << 10

    private enum Flag {
        static let confirm: UInt8 = 1
        static let hadPassphrase: UInt8 = 2
        static let local: UInt8 = 4
        static let all: UInt8 = 7
    }

    /// The content, in locked memory.
    ///
    /// - Throws: `SSHFormatError.oversized` and the other errors of `KeyUse.check`; `outOfMemory`.
    public func content() throws(SSHFormatError) -> Secret {
        try use.check()
        guard related.isEmpty || related.count == 32 else { throw .malformed }
        var writer = try SecretWriter()
        try writer.byte(Self.version)
        try writer.byte(stored.rawValue)
        try writer.byte(origin.rawValue)
        var flags: UInt8 = use.needsConfirmation ? Flag.confirm : 0
        if hadPassphrase { flags |= Flag.hadPassphrase }
        if use.isLocal { flags |= Flag.local }
        try writer.byte(flags)
        try writer.number(UInt32(clamping: removedAt ?? 0))
        try writer.number(UInt32(clamping: retiredAt ?? 0))
        try writer.number(use.lifetime)
        try writer.string(related)
        try writer.string(publicKey.blob)
        try writer.string(publicKey.comment)
        try writer.string(try key.wire())
        try Self.write(certificates.map(\.blob), to: &writer)
        try Self.write(certificates.map(\.comment), to: &writer)
        try Self.write(use.hosts.map { Array($0.utf8) }, to: &writer)
        try Self.write(use.namespaces.map { Array($0.utf8) }, to: &writer)
        return Secret(try writer.finish())
    }

    /// Reads what `content` wrote, and checks that both halves of the key belong together.
    ///
    /// - Throws: `SSHFormatError.unsupportedVersion`; `malformed`, `truncated`, `trailingBytes` and what reading
    ///   keys throws.
    public init(content: Secret) throws(SSHFormatError) {
        var reader = SecretReader(content)
        let version = try reader.byte()
        guard version == Self.version else { throw .unsupportedVersion(UInt32(version)) }
        guard let state = State(rawValue: try reader.byte()), let origin = Origin(rawValue: try reader.byte())
        else { throw .malformed }
        let flags = try reader.byte()
        guard flags & ~Flag.all == 0 else { throw .malformed }
        let (removed, retired) = (try reader.uint32(), try reader.uint32())
        let lifetime = try reader.uint32()
        let related = try reader.string(limit: 32)
        guard related.isEmpty || related.count == 32 else { throw .malformed }
        let blob = try reader.string(limit: PublicKey.longestBlob)
        let comment = try reader.string(limit: Self.longestComment)
        let publicKey = try PublicKey(blob: blob, comment: comment)
        let wire = try reader.secret(limit: PrivateKey.longestWire)
        self.init(
            try PrivateKey(wire: Secret(wire), publicKey: publicKey),
            origin: origin,
            hadPassphrase: flags & Flag.hadPassphrase != 0
        )
        guard state == .aside || key.isUsable else { throw .malformed }
        self.state = state
        removedAt = removed == 0 ? nil : UInt64(removed)
        retiredAt = retired == 0 ? nil : UInt64(retired)
        self.related = related
        try readLists(from: &reader)
        use.needsConfirmation = flags & Flag.confirm != 0
        use.isLocal = flags & Flag.local != 0
        use.lifetime = lifetime
        try use.check()
        guard reader.remaining == 0 else { throw .trailingBytes }
    }

    private mutating func readLists(from reader: inout SecretReader) throws(SSHFormatError) {
        let blobs = try Self.list(
            from: &reader,
            maximum: Self.maximumCertificates,
            limit: PublicKey.longestBlob
        )
        let comments = try Self.list(
            from: &reader,
            maximum: Self.maximumCertificates,
            limit: Self.longestComment
        )
        guard blobs.count == comments.count else { throw .malformed }
        for (blob, comment) in zip(blobs, comments) {
            guard try keep(try PublicKey(blob: blob, comment: comment)) else { throw .malformed }
        }
        use.hosts = try Self.texts(from: &reader)
        use.namespaces = try Self.texts(from: &reader)
    }

    private static func texts(from reader: inout SecretReader) throws(SSHFormatError) -> [String] {
        var texts: [String] = []
        for bytes in try list(from: &reader, maximum: KeyUse.maximumNames, limit: 255) {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
            texts.append(text)
        }
        return texts
    }

    private static func write(
        _ list: [[UInt8]],
        to writer: inout SecretWriter
    ) throws(SSHFormatError) {
        try writer.number(UInt32(clamping: list.count))
        for bytes in list { try writer.string(bytes) }
    }

    private static func list(
        from reader: inout SecretReader,
        maximum: Int,
        limit: Int
    ) throws(SSHFormatError) -> [[UInt8]] {
        let count = try reader.uint32()
        guard count <= UInt32(clamping: maximum) else { throw .oversized(limit: maximum) }
        var list: [[UInt8]] = []
        for _ in 0..<count { list.append(try reader.string(limit: limit)) }
        return list
    }
}
