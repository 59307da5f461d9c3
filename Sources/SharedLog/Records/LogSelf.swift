package import VaultCrypto

/// What a vault keeps of itself as a machine of a log: the record `log.self` (Schemas/machines.md section 9).
package struct LogSelf: Sendable {
    /// How far this machine has come.
    package enum Stage: Hashable, Sendable {
        /// It showed this JOIN, and waits for an ADMIT.
        case asked(join: [UInt8])
        /// An ADMIT names this head, which the first sync must find.
        case admitted(LogHead)
        /// It has read the log.
        case member
        /// It left or was removed; it has no key of the log.
        case removed

        fileprivate var number: UInt8 {
            switch self {
            case .asked: 1
            case .admitted: 2
            case .member: 3
            case .removed: 4
            }
        }
    }

    /// The log and its key as this machine has them.
    package struct Epoch: Sendable {
        /// Which log.
        package let log: LogID
        /// The number of the key.
        package let number: UInt32
        /// The key, 32 bytes; nil for a machine that was removed.
        package let key: Secret?

        /// A log, and the key that its ADMIT or its newest rekey gave.
        package init(log: LogID, number: UInt32, key: Secret?) {
            (self.log, self.number, self.key) = (log, number, key)
        }
    }

    /// The keys of this machine.
    package let keys: MachineKeys
    /// What people call it.
    package var name: String
    /// Where the log is kept: the number and the text of a carrier's address (Schemas/carriers.md section 2).
    package var address: (carrier: UInt8, text: String)
    /// How far it has come.
    package var stage: Stage
    /// The log; nil before an ADMIT.
    package var epoch: Epoch?

    /// A machine.
    package init(
        keys: MachineKeys,
        name: String,
        address: (carrier: UInt8, text: String),
        stage: Stage,
        epoch: Epoch?
    ) {
        (self.keys, self.name, self.address) = (keys, name, address)
        (self.stage, self.epoch) = (stage, epoch)
    }

    /// Reads the content of the record.
    ///
    /// - Throws: `newerEntry`; `logTampered`; `outOfMemory`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        let seed = try reader.secret(count: 32)
        let box = try reader.secret(count: 32)
        keys = try MachineKeys(seed: Secret(seed), boxSecret: Secret(box))
        name = try reader.text(limit: LogLimits.machineName)
        let carrier = try reader.byte()
        address = (carrier, try reader.text(limit: LogLimits.address))
        let stage = try reader.byte()
        let hasLog = try reader.byte()
        if hasLog > 0 {
            let log: LogID = try reader.identifier()
            let number = try reader.uint32()
            let key = hasLog > 1 ? Secret(try reader.secret(count: EpochKey.size)) : nil
            epoch = Epoch(log: log, number: number, key: key)
        } else {
            epoch = nil
        }
        switch stage {
        case 1: self.stage = .asked(join: try reader.string(limit: LogLimits.join))
        case 2: self.stage = .admitted(LogHead(place: try reader.uint64(), hash: try reader.take(32)))
        case 3: self.stage = .member
        case 4: self.stage = .removed
        default: throw LogError(.newerEntry)
        }
        try reader.finish()
        guard hasLog <= 2, (epoch == nil) == (stage == 1), MachineName.isValid(name) else {
            throw LogError(.logTampered)
        }
    }

    /// The content of the record.
    ///
    /// - Throws: `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        var writer = try LogWriter.object([])
        try writer.raw(keys.seed)
        try writer.raw(keys.boxSecret)
        try writer.short(name.utf8)
        try writer.raw([address.carrier])
        try writer.short(address.text.utf8)
        try writer.raw([stage.number, epoch == nil ? 0 : epoch?.key == nil ? 1 : 2])
        if let epoch {
            try writer.raw(epoch.log.bytes)
            try writer.number(epoch.number)
            if let key = epoch.key { try writer.raw(key) }
        }
        switch stage {
        case .asked(let join): try writer.string(join)
        case .admitted(let head):
            try writer.number(head.place)
            try writer.raw(head.hash)
        case .member, .removed: break
        }
        return try writer.content()
    }
}
