package import VaultCrypto

/// What a sync did that a person may want otherwise: the records `log.conflict` (Schemas/machines.md section 9).
///
/// It stays until the person settles it.
package struct LogConflict: Sendable {
    /// Why a person should look.
    package enum Reason: UInt8, Sendable {
        /// The log has the name for another record; the record of this machine has another name now.
        case renamed = 1
        /// Two machines changed the record.
        case bothChanged = 2
        /// The record was changed here and deleted elsewhere.
        case removedElsewhere = 3
        /// Another machine brought another key of a host.
        case hostKeys = 4
    }

    /// Why.
    package let reason: Reason
    /// The kind of the record.
    package let kind: UInt8
    /// The name that it is about.
    package let name: String
    /// The new name of the record of this machine; empty if it is not renamed.
    package let other: String
    /// The name of the other machine; empty if that is not known.
    package let machine: String
    /// When this machine learned of it, Unix seconds.
    package let time: UInt64
    /// The object as this machine had it; nil if both are still there.
    package let mine: Secret?
    /// The object as the log had it.
    package let theirs: Secret?

    /// A conflict.
    package init(
        _ reason: Reason,
        kind: UInt8,
        name: String,
        other: String = "",
        machine: String = "",
        time: UInt64,
        mine: Secret? = nil,
        theirs: Secret? = nil
    ) {
        (self.reason, self.kind, self.name, self.other) = (reason, kind, name, other)
        (self.machine, self.time, self.mine, self.theirs) = (machine, time, mine, theirs)
    }

    /// Reads the content of the record.
    ///
    /// - Throws: `newerEntry`; `logTampered`; `outOfMemory`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        guard let reason = Reason(rawValue: try reader.byte()) else { throw LogError(.newerEntry) }
        self.reason = reason
        kind = try reader.byte()
        name = try reader.text(limit: LogLimits.objectName)
        other = try reader.text(limit: LogLimits.objectName)
        machine = try reader.text(limit: LogLimits.machineName)
        time = try reader.uint64()
        var objects: [Secret?] = []
        for _ in 0..<2 {
            let object = try reader.part(limit: 2 * LogLimits.content)
            objects.append(object.count == 0 ? nil : object)
        }
        (mine, theirs) = (objects[0], objects[1])
        try reader.finish()
    }

    /// The content of the record.
    ///
    /// - Throws: `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        var writer = try LogWriter.object([reason.rawValue, kind])
        try writer.short(name.utf8)
        try writer.short(other.utf8)
        try writer.short(machine.utf8)
        try writer.number(time)
        for object in [mine, theirs] {
            try writer.number(UInt32(object?.count ?? 0))
            if let object { try writer.raw(object) }
        }
        return try writer.content()
    }

    /// The name of the record: the same conflict again is the same record.
    ///
    /// - Throws: `outOfMemory`.
    package func id() throws(LogError) -> ObjectID {
        guard reason != .renamed else { return Self.renamed(kind: kind, name) }
        var writer = try LogWriter.object([reason.rawValue, kind])
        try writer.short(name.utf8)
        try writer.short(machine.utf8)
        if let mine { try writer.raw(mine) }
        return ObjectID(digest: try writer.content().hash(.conflict))
    }

    /// The name of the record for a name that means another record now.
    package static func renamed(kind: UInt8, _ name: String) -> ObjectID {
        ObjectID(
            digest: Hash.sha256(LogLabel.conflict.bytes + [1, Reason.renamed.rawValue, kind] + name.utf8)
        )
    }
}
