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

/// The kinds of shared records, by their numbers in the log.
package enum SharedKind: UInt8, Hashable, Sendable, CaseIterable {
    case secret = 1
    case sshKey = 2
    case sshHost = 3
    case knownHost = 4
    case pin = 5
    case endedIdentity = 6
    case rule = 7
    case conflict = 8
    case machineIdentity = 9

    /// Whether two of the kind never have one name.
    package var hasUniqueNames: Bool {
        switch self {
        case .secret, .sshKey, .sshHost, .rule: true
        case .knownHost, .pin, .endedIdentity, .conflict, .machineIdentity: false
        }
    }
}

extension SharedObject {
    /// Its kind; nil for one of later programs.
    package var sharedKind: SharedKind? { SharedKind(rawValue: kind) }

    /// Refuses an object whose id is not that of its content, or whose content says that it is of a later version.
    ///
    /// Of the kinds whose contents other pages describe, what the id needs is read and no more.
    ///
    /// - Throws: `logTampered`, `newerEntry`.
    func checkIdentity() throws(LogError) {
        guard let kind = sharedKind else { return }
        switch kind {
        case .secret: return
        case .sshKey: try require(.sshKey, try sshKeyFingerprint())
        case .sshHost:
            var reader = try versioned()
            guard try reader.byte() & 1 == 0 else { throw LogError(.logTampered) }
            _ = try reader.take(4)
            let identifier: ObjectID = try reader.identifier()
            guard identifier == id else { throw LogError(.logTampered) }
        case .knownHost: try require(.knownHost, try KnownHostObject(content: content).line)
        case .pin:
            let pin = try PinObject(content: content)
            guard name == Hex.encode(pin.peerID) else { throw LogError(.logTampered) }
            try require(.pin, pin.peerID)
        case .endedIdentity: try require(.ended, try EndedIdentityObject(content: content).peerID)
        case .rule:
            _ = try RuleObject(content: content)
            try require(.rule, Array(name.utf8))
        case .conflict:
            guard id == (try ConflictObject(content: content).id) else { throw LogError(.logTampered) }
        case .machineIdentity:
            _ = try MachineIdentityObject(content: content)
            guard let machine = Hex.decode(name), machine.count == MachineID.size,
                Hex.encode(machine) == name
            else { throw LogError(.logTampered) }
            try require(.machineIdentity, machine)
        }
    }

    private func require(_ label: LogLabel, _ subject: [UInt8]) throws(LogError) {
        guard id == ObjectID(of: label, subject) else { throw LogError(.logTampered) }
    }

    private func versioned() throws(LogError) -> LogReader {
        var reader = LogReader(content)
        guard try reader.byte() == 1 else { throw LogError(.newerEntry) }
        return reader
    }

    /// The SHA-256 of the public half (Schemas/ssh-records.md section 2).
    private func sshKeyFingerprint() throws(LogError) -> [UInt8] {
        var reader = try versioned()
        _ = try reader.take(3 + 3 * 4)
        _ = try reader.string(limit: 32)
        return Hash.sha256(try reader.string(limit: 1 << 16))
    }
}

extension ObjectID {
    /// H(L(label) ‖ subject)[0..16].
    package init(of label: LogLabel, _ subject: [UInt8]) {
        self.init(digest: Hash.sha256(label.bytes + subject))
    }
}
