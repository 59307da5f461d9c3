package import VaultCrypto

// The contents that the log itself defines (Schemas/machines.md section 6); one value has one content.

/// A line of known hosts that names hosts.
package struct KnownHostObject: Hashable, Sendable {
    /// The bit of the byte `source` that says that it is not compared since a restore.
    private static let uncompared: UInt8 = 0x80

    /// 0 counts, 1 replaced by another key, 2 removed (Schemas/ssh-records.md section 6).
    package var state: UInt8
    /// How it came into the vault (there, too).
    package var source: UInt8
    /// A person compared it before a restore, and not since.
    package var isUncompared: Bool
    /// When it came, in seconds.
    package var firstSeen: UInt32
    /// When it ended, in seconds; 0 as long as it counts.
    package var ended: UInt32
    /// The digest of the key's fingerprint that replaced it, or empty.
    package var replacedBy: [UInt8]
    /// The line without its line feed.
    package let line: [UInt8]

    /// A line and what is known about it.
    package init(
        state: UInt8,
        source: UInt8,
        isUncompared: Bool = false,
        firstSeen: UInt32,
        ended: UInt32 = 0,
        replacedBy: [UInt8] = [],
        line: [UInt8]
    ) {
        self.state = state
        self.source = source
        self.isUncompared = isUncompared
        self.firstSeen = firstSeen
        self.ended = ended
        self.replacedBy = replacedBy
        self.line = line
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        state = try reader.byte()
        let origin = try reader.byte()
        (source, isUncompared) = (origin & ~Self.uncompared, origin & Self.uncompared != 0)
        firstSeen = try reader.uint32()
        ended = try reader.uint32()
        replacedBy = try reader.string(limit: 32)
        line = try reader.string(limit: 1 << 20)
        try reader.finish()
        guard state <= 2, source <= 4, (state == 0) == (ended == 0),
            (state == 1) ? replacedBy.count == 32 : replacedBy.isEmpty
        else { throw LogError(.logTampered) }
    }

    /// What the line is named by.
    package var id: ObjectID { ObjectID(of: .knownHost, line) }

    /// The content.
    package func content() throws(LogError) -> Secret {
        var writer = try LogWriter.object([state, source | (isUncompared ? Self.uncompared : 0)])
        try writer.number(firstSeen)
        try writer.number(ended)
        try writer.string(replacedBy)
        try writer.string(line)
        return try writer.content()
    }
}

/// A contact whose key is pinned, without sessions and what belongs to one machine.
package struct PinObject: Hashable, Sendable {
    /// The Ed25519 key of the contact, 32 bytes.
    package let identityKey: [UInt8]
    /// What this vault's owner calls it.
    package var alias: String
    /// What it calls itself.
    package var sentName: String
    /// What the owner wrote.
    package var note: String
    /// As in Schemas/record-content.md.
    package var trust: UInt8
    /// As there.
    package var verification: UInt8
    /// When it was verified, in seconds.
    package var verifiedAt: UInt32
    /// Nothing is sent before it is verified.
    package var requiresVerification: Bool
    /// When it was put into the trash, in seconds; 0 for not.
    package var trashedAt: UInt32

    /// A pin without anything said about it.
    package init(identityKey: [UInt8], alias: String, sentName: String) {
        self.identityKey = identityKey
        self.alias = alias
        self.sentName = sentName
        note = ""
        (trust, verification, verifiedAt, requiresVerification, trashedAt) = (0, 0, 0, false, 0)
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        identityKey = try reader.take(32)
        alias = try reader.shortText()
        sentName = try reader.shortText()
        note = try reader.text(limit: Int(UInt16.max))
        trust = try reader.byte()
        verification = try reader.byte()
        verifiedAt = try reader.uint32()
        let flags = try reader.byte()
        guard flags <= 1 else { throw LogError(.newerEntry) }
        requiresVerification = flags == 1
        trashedAt = try reader.uint32()
        try reader.finish()
    }

    /// BLAKE3 of the key: what people and records know the contact by, 32 bytes.
    package var peerID: [UInt8] { BLAKE3.hash(identityKey) }
    /// What the pin is named by.
    package var id: ObjectID { ObjectID(of: .pin, peerID) }

    /// The content.
    ///
    /// - Throws: `malformed` for a text that is too long; `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        guard alias.utf8.count <= 255, sentName.utf8.count <= 255, note.utf8.count <= Int(UInt16.max),
            identityKey.count == 32
        else { throw LogError(.malformed) }
        var writer = try LogWriter.object(identityKey)
        try writer.raw([UInt8(alias.utf8.count)] + alias.utf8)
        try writer.raw([UInt8(sentName.utf8.count)] + sentName.utf8)
        try writer.short(note.utf8)
        try writer.raw([trust, verification])
        try writer.number(verifiedAt)
        try writer.raw([requiresVerification ? 1 : 0])
        try writer.number(trashedAt)
        return try writer.content()
    }
}

/// The notice that ended an identity.
package struct EndedIdentityObject: Hashable, Sendable {
    private static let noticeSize = 112
    /// Version, kind REVOKE and the scope of an identity, at their places in the notice.
    private static let marks = [(0, UInt8(1)), (1, UInt8(5)), (14, UInt8(1))]

    /// When a machine saw it first, in seconds.
    package var seenAt: UInt32
    /// The REVOKE of the identity; its signature is verified where notices are.
    package let notice: [UInt8]

    /// A notice.
    ///
    /// - Throws: `malformed` for another size or kind of code.
    package init(seenAt: UInt32, notice: [UInt8]) throws(LogError) {
        guard Self.isNotice(notice) else { throw LogError(.malformed) }
        self.seenAt = seenAt
        self.notice = notice
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        seenAt = try reader.uint32()
        notice = try reader.take(Self.noticeSize)
        try reader.finish()
        guard Self.isNotice(notice) else { throw LogError(.logTampered) }
    }

    static func isNotice(_ bytes: [UInt8]) -> Bool {
        bytes.count == noticeSize && marks.allSatisfy { bytes[$0] == $1 }
    }

    /// The identity that it ends.
    package var peerID: [UInt8] { BLAKE3.hash(notice[16..<48]) }
    /// What it is named by.
    package var id: ObjectID { ObjectID(of: .ended, peerID) }

    /// The content.
    package func content() throws(LogError) -> Secret {
        var writer = try LogWriter.object([])
        try writer.number(seenAt)
        try writer.raw(notice)
        return try writer.content()
    }
}

/// A rule that asks or denies, as its attributes.
package struct RuleObject: Hashable, Sendable {
    /// One condition or verdict.
    package struct Attribute: Hashable, Sendable {
        package let name: [UInt8]
        package let value: [UInt8]

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (Array(name.utf8), Array(value.utf8))
        }

        init(name: [UInt8], value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    /// Ascending by their names.
    package let attributes: [Attribute]

    /// A rule; attributes may come in any order.
    package init(_ attributes: [Attribute]) {
        self.attributes = attributes.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        var attributes: [Attribute] = []
        for _ in 0..<(try reader.byte()) {
            let name = try reader.take(Int(try reader.uint16()))
            let value = try reader.take(Int(try reader.uint16()))
            if let last = attributes.last, !last.name.lexicographicallyPrecedes(name) {
                throw LogError(.logTampered)
            }
            attributes.append(Attribute(name: name, value: value))
        }
        try reader.finish()
        self.attributes = attributes
    }

    /// The content.
    ///
    /// - Throws: `malformed` for more than 255 attributes, or one name twice; `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        guard attributes.count <= 255, Set(attributes.map(\.name)).count == attributes.count,
            attributes.allSatisfy({ max($0.name.count, $0.value.count) <= Int(UInt16.max) })
        else { throw LogError(.malformed) }
        var writer = try LogWriter.object([UInt8(attributes.count)])
        for attribute in attributes {
            try writer.short(attribute.name)
            try writer.short(attribute.value)
        }
        return try writer.content()
    }
}

/// What lost when two machines changed one thing, until a person settles it.
package struct ConflictObject: Sendable {
    /// What was changed twice.
    package let object: ObjectID
    /// Its kind.
    package let kind: UInt8
    /// Whose change lost.
    package let machine: MachineID
    /// When that was, in milliseconds.
    package let time: UInt64
    /// Which rule decided.
    package let reason: UInt8
    /// What lost.
    package let lost: Secret
    /// What it is named by.
    package let id: ObjectID

    /// What lost, and to what.
    package init(
        object: ObjectID,
        kind: UInt8,
        machine: MachineID,
        time: UInt64,
        reason: UInt8,
        lost: Secret
    ) throws(LogError) {
        self.object = object
        self.kind = kind
        self.machine = machine
        self.time = time
        self.reason = reason
        self.lost = lost
        id = try Self.id(object, lost)
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        object = try reader.identifier()
        kind = try reader.byte()
        machine = try reader.identifier()
        time = try reader.uint64()
        reason = try reader.byte()
        lost = try reader.part(limit: LogLimits.content)
        try reader.finish()
        id = try Self.id(object, lost)
    }

    private static func id(_ object: ObjectID, _ lost: Secret) throws(LogError) -> ObjectID {
        let label = LogLabel.conflict.bytes + object.bytes
        return ObjectID(
            digest: try primitives { () throws(CryptoError) in
                Hash.sha256(try SecretBytes.joined(label, lost))
            }
        )
    }

    /// The content.
    package func content() throws(LogError) -> Secret {
        var writer = try LogWriter.object(object.bytes + [kind] + machine.bytes)
        try writer.number(time)
        try writer.raw([reason])
        try writer.number(UInt32(lost.count))
        try writer.raw(lost)
        return try writer.content()
    }
}

/// The HSIP identity that a machine pairs with, and the notice that ends it: any other machine can show it.
package struct MachineIdentityObject: Hashable, Sendable {
    /// Its Ed25519 key, 32 bytes.
    package let identityKey: [UInt8]
    /// The REVOKE of it, made before.
    package let notice: [UInt8]

    /// An identity and its notice.
    ///
    /// - Throws: `malformed` for a notice of another identity.
    package init(identityKey: [UInt8], notice: [UInt8]) throws(LogError) {
        guard EndedIdentityObject.isNotice(notice), Array(notice[16..<48]) == identityKey else {
            throw LogError(.malformed)
        }
        self.identityKey = identityKey
        self.notice = notice
    }

    /// Reads a content.
    ///
    /// - Throws: `newerEntry`, `logTampered`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        identityKey = try reader.take(32)
        notice = try reader.take(112)
        try reader.finish()
        guard EndedIdentityObject.isNotice(notice), Array(notice[16..<48]) == identityKey else {
            throw LogError(.logTampered)
        }
    }

    /// What the record of a machine is named by.
    package static func id(of machine: MachineID) -> ObjectID {
        ObjectID(of: .machineIdentity, machine.bytes)
    }

    /// The content.
    package func content() throws(LogError) -> Secret {
        try LogWriter.object(identityKey + notice).content()
    }
}

extension LogReader {
    /// A content of version 01, behind that byte.
    init(object content: Secret) throws(LogError) {
        self.init(content)
        guard try byte() == 1 else { throw LogError(.newerEntry) }
    }

    /// UTF-8 after one byte of length.
    fileprivate mutating func shortText() throws(LogError) -> String {
        guard let text = String(validating: try take(Int(try byte())), as: UTF8.self) else {
            throw LogError(.logTampered)
        }
        return text
    }
}
