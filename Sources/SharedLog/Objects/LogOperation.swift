internal import VaultCrypto

/// One operation of a change.
package enum LogOperation: Sendable {
    /// A machine that is let in, and what its keeper signed.
    package struct Admission: Hashable, Sendable {
        package let signKey: [UInt8]
        package let boxKey: [UInt8]
        package let role: MachineRole
        package let certificate: [UInt8]
        package let name: String

        /// Lets a machine in.
        ///
        /// - Throws: `malformed` for a name or key that is none; `badKey`; `outOfMemory`.
        package init(
            signKey: [UInt8],
            boxKey: [UInt8],
            role: MachineRole,
            name: String,
            log: LogID,
            by keeper: MachineKeys
        ) throws(LogError) {
            guard MachineName.isValid(name), signKey.count == 32, role.isGiven else {
                throw LogError(.malformed)
            }
            guard !KeyAgreement.isLowOrder(boxKey) else { throw LogError(.badKey) }
            self.signKey = signKey
            self.boxKey = boxKey
            self.role = role
            self.name = name
            certificate = try Certificate.sign(signKey, role, log: log, by: keeper)
        }

        init(_ reader: inout LogReader) throws(LogError) {
            signKey = try reader.take(32)
            boxKey = try reader.take(32)
            role = try reader.role()
            certificate = try reader.take(Certificate.size)
            name = try reader.machineName()
            guard !KeyAgreement.isLowOrder(boxKey) else { throw LogError(.badKey) }
        }
    }

    /// An object, new or changed.
    case put(SharedObject)
    /// An object goes.
    case delete(ObjectID)
    /// A machine is let in.
    case add(Admission)
    /// A machine gets another role, which the author certifies.
    case role(MachineID, MachineRole, certificate: [UInt8])
    /// A machine gets another name.
    case rename(MachineID, String)
    /// A machine is removed, alone in its entry; the reason is as in a REVOKE.
    case remove(MachineID, reason: UInt8)
    /// The author's next box key.
    case renew(boxKey: [UInt8])
    /// The author leaves.
    case leave

    /// Whether it is about a record, not about a machine.
    package var isOfRecord: Bool {
        switch self {
        case .put, .delete: true
        default: false
        }
    }

    private enum Number {
        static let delete: UInt8 = 2
        static let add: UInt8 = 3
        static let role: UInt8 = 4
        static let rename: UInt8 = 5
        static let remove: UInt8 = 6
        static let renew: UInt8 = 7
        static let leave: UInt8 = 8
    }

    /// All operations of a change.
    ///
    /// - Throws: `newerEntry` for one of later programs; `logTampered` for another form; `badKey`; `outOfMemory`.
    static func read(_ body: Secret) throws(LogError) -> [LogOperation] {
        var reader = LogReader(body)
        var all: [LogOperation] = []
        while !reader.isAtEnd { all.append(try LogOperation(&reader, in: body)) }
        return all
    }

    private init(_ reader: inout LogReader, in body: Secret) throws(LogError) {
        switch try reader.byte() {
        case SharedObject.operation:
            let object = try SharedObject(&reader, in: body)
            try object.checkIdentity()
            self = .put(object)
        case Number.delete: self = .delete(try reader.identifier())
        case Number.add: self = .add(try Admission(&reader))
        case Number.role:
            self = .role(
                try reader.identifier(),
                try reader.role(),
                certificate: try reader.take(Certificate.size)
            )
        case Number.rename: self = .rename(try reader.identifier(), try reader.machineName())
        case Number.remove: self = .remove(try reader.identifier(), reason: try reader.byte())
        case Number.renew:
            let key = try reader.take(KeyAgreement.keySize)
            guard !KeyAgreement.isLowOrder(key) else { throw LogError(.badKey) }
            self = .renew(boxKey: key)
        case Number.leave: self = .leave
        default: throw LogError(.newerEntry)
        }
    }

    /// The bytes of a change.
    static func encode(_ operations: [LogOperation]) throws(LogError) -> Secret {
        // Objects may be large, and are copied once.
        let sizes = operations.map { if case .put(let object) = $0 { object.encoded.count } else { 256 } }
        var writer = try LogWriter(capacity: sizes.reduce(0, +))
        for operation in operations { try operation.write(&writer) }
        return try writer.content()
    }

    private func write(_ writer: inout LogWriter) throws(LogError) {
        switch self {
        case .put(let object): try writer.raw(object.encoded)
        case .delete(let id): try writer.raw([Number.delete] + id.bytes)
        case .add(let new):
            try writer.raw([Number.add] + new.signKey + new.boxKey + [new.role.rawValue] + new.certificate)
            try writer.short(new.name.utf8)
        case .role(let id, let role, let certificate):
            try writer.raw([Number.role] + id.bytes + [role.rawValue] + certificate)
        case .rename(let id, let name):
            try writer.raw([Number.rename] + id.bytes)
            try writer.short(name.utf8)
        case .remove(let id, let reason): try writer.raw([Number.remove] + id.bytes + [reason])
        case .renew(let key): try writer.raw([Number.renew] + key)
        case .leave: try writer.raw([Number.leave])
        }
    }
}

extension LogReader {
    fileprivate mutating func role() throws(LogError) -> MachineRole {
        guard let role = MachineRole(rawValue: try byte()) else { throw LogError(.newerEntry) }
        return role
    }

    fileprivate mutating func machineName() throws(LogError) -> String {
        let name = try text(limit: LogLimits.machineName)
        guard MachineName.isValid(name) else { throw LogError(.logTampered) }
        return name
    }
}
