package import VaultCrypto

/// A machine of the log.
package struct Member: Hashable, Sendable {
    /// What it is named by for good.
    package let id: MachineID
    /// What its entries are verified with, 32 bytes.
    package let signKey: [UInt8]
    /// What the epoch key is sealed to, 32 bytes.
    package internal(set) var boxKey: [UInt8]
    /// What it may do.
    package internal(set) var role: MachineRole
    /// The entry that let it in.
    package let joined: UInt64
    /// The keeper that let it in, or gave it its role last; the founder: itself.
    package internal(set) var adder: MachineID
    /// What that keeper signed.
    package internal(set) var certificate: [UInt8]
    /// What people call it, unique among members.
    package internal(set) var name: String

    /// The bytes of the record `member`.
    package var encoded: [UInt8] {
        var writer: [UInt8] = []
        writer += id.bytes
        writer += signKey
        writer += boxKey
        writer.append(role.rawValue)
        writer += joined.bigEndianBytes
        writer += adder.bytes
        writer += certificate
        writer += UInt16(truncatingIfNeeded: name.utf8.count).bigEndianBytes
        writer += name.utf8
        return writer
    }

    /// A member as its record has it.
    ///
    /// - Throws: `logTampered`; `newerEntry`.
    package init(record content: Secret) throws(LogError) {
        var reader = LogReader(content)
        try self.init(&reader)
        try reader.finish()
    }

    /// Reads one; `logTampered` unless the id is that of the key and the name is one.
    init(_ reader: inout LogReader) throws(LogError) {
        id = try reader.identifier()
        signKey = try reader.take(32)
        boxKey = try reader.take(32)
        guard let role = MachineRole(rawValue: try reader.byte()) else { throw LogError(.newerEntry) }
        self.role = role
        joined = try reader.uint64()
        adder = try reader.identifier()
        certificate = try reader.take(Certificate.size)
        name = try reader.text(limit: LogLimits.machineName)
        guard MachineName.isValid(name), id == MachineKeys.id(signKey: signKey) else {
            throw LogError(.logTampered)
        }
    }

    init(
        signKey: [UInt8],
        boxKey: [UInt8],
        role: MachineRole,
        joined: UInt64,
        adder: MachineID,
        certificate: [UInt8],
        name: String
    ) {
        id = MachineKeys.id(signKey: signKey)
        self.signKey = signKey
        self.boxKey = boxKey
        self.role = role
        self.joined = joined
        self.adder = adder
        self.certificate = certificate
        self.name = name
    }

    /// The founder of a log, who certifies itself.
    package init(founder keys: MachineKeys, name: String, log: LogID) throws(LogError) {
        guard MachineName.isValid(name) else { throw LogError(.malformed) }
        self.init(
            signKey: keys.signKey,
            boxKey: keys.boxKey,
            role: .keeper,
            joined: 1,
            adder: keys.id,
            certificate: try Certificate.sign(keys.signKey, .keeper, log: log, by: keys),
            name: name
        )
    }
}

/// A machine that was a keeper: it may have let in others who are members still.
package struct FormerKeeper: Hashable, Sendable {
    /// What it was named by.
    package let id: MachineID
    /// What its certificates are verified with.
    package let signKey: [UInt8]
    /// The keeper that made it one.
    package let adder: MachineID
    /// What that keeper signed.
    package let certificate: [UInt8]

    /// The bytes of the record `former`.
    package var encoded: [UInt8] { id.bytes + signKey + adder.bytes + certificate }

    /// A former keeper as its record has it.
    ///
    /// - Throws: `logTampered`.
    package init(record content: Secret) throws(LogError) {
        var reader = LogReader(content)
        try self.init(&reader)
        try reader.finish()
    }

    init(_ keeper: Member) {
        id = keeper.id
        signKey = keeper.signKey
        adder = keeper.adder
        certificate = keeper.certificate
    }

    init(_ reader: inout LogReader) throws(LogError) {
        id = try reader.identifier()
        signKey = try reader.take(32)
        adder = try reader.identifier()
        certificate = try reader.take(Certificate.size)
        guard id == MachineKeys.id(signKey: signKey) else { throw LogError(.logTampered) }
    }
}
