package import VaultCrypto

/// A shared record as the log has it: the operation `put`.
package struct SharedObject: Sendable {
    /// The operation's own number, which its bytes begin with.
    static let operation: UInt8 = 1

    /// What it is; kinds of later programs are kept as they are.
    package let kind: UInt8
    /// What it is named by for good.
    package let id: ObjectID
    /// When it was made, in milliseconds.
    package let created: UInt64
    /// When it expires, in milliseconds; 0 for never.
    package let expires: UInt64
    /// Its name in the vault.
    package let name: String
    /// What it holds.
    package let content: Secret
    /// The whole operation.
    package let encoded: Secret

    /// An object to write.
    ///
    /// - Throws: `malformed` for a name or content that is too long, or a name that is not in normal form C; `outOfMemory`.
    package init(
        kind: UInt8,
        id: ObjectID,
        created: UInt64 = 0,
        expires: UInt64 = 0,
        name: String,
        content: Secret
    ) throws(LogError) {
        guard name.utf8.count <= LogLimits.objectName, name.isNFC, content.count <= LogLimits.content else {
            throw LogError(.malformed)
        }
        self.kind = kind
        self.id = id
        self.created = created
        self.expires = expires
        self.name = name
        var writer = try LogWriter()
        try writer.raw([Self.operation, kind])
        try writer.raw(id.bytes)
        try writer.number(created)
        try writer.number(expires)
        try writer.short(name.utf8)
        try writer.number(UInt32(content.count))
        try writer.raw(content)
        encoded = try writer.content()
        self.content = content
    }

    /// Reads a whole operation, as a vault keeps it aside.
    ///
    /// - Throws: `logTampered`; `outOfMemory`.
    package init(encoded: Secret) throws(LogError) {
        var reader = LogReader(encoded)
        guard try reader.byte() == Self.operation else { throw LogError(.logTampered) }
        try self.init(&reader, in: encoded)
        try reader.finish()
    }

    /// Reads one behind its operation's number.
    init(_ reader: inout LogReader, in whole: Secret) throws(LogError) {
        let start = reader.position - 1
        kind = try reader.byte()
        id = try reader.identifier()
        created = try reader.uint64()
        expires = try reader.uint64()
        name = try reader.text(limit: LogLimits.objectName)
        // Swift compares such names as other implementations do, byte by byte.
        guard name.isNFC else { throw LogError(.logTampered) }
        content = try reader.part(limit: LogLimits.content)
        let end = reader.position
        encoded = try primitives { () throws(CryptoError) in try whole.part(start..<end) }
    }

    /// H(L(object) ‖ put): what the index of a vault compares.
    package func digest() throws(LogError) -> [UInt8] { try encoded.hash(.object) }
}
