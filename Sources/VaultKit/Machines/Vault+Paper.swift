internal import RecordStore
internal import SharedLog
public import VaultCrypto

/// The input for joining a log by a recovery code: the log, and the facts that admit this machine.
public struct LogRecovery: Codable, Sendable {
    /// The 16 bytes of the recovery code.
    public let code: Secret
    /// All entries of the log.
    public let entries: [[UInt8]]
    /// The name of this machine.
    public let name: String
    /// The address of the log.
    public let address: LogAddress
    /// The id of the log, 16 bytes; an address may have several logs.
    public let log: [UInt8]

    /// Makes the input from a log and the code that opens it.
    public init(code: Secret, entries: [[UInt8]], name: String, address: LogAddress, log: [UInt8]) {
        (self.code, self.entries, self.name) = (code, entries, name)
        (self.address, self.log) = (address, log)
    }
}

extension Vault {
    /// Adds a machine whose keys are made from a recovery code, and a new log key that it can read.
    ///
    /// `giveLog` returns the entries.
    ///
    /// - Parameters:
    ///   - code: 16 random bytes.
    ///   - name: The name of the machine.
    /// - Returns: whether the log has the machine of this code already; then nothing changed.
    /// - Throws: `noLog`; `nameTaken`; `notAllowed` unless this machine is a keeper; `logBusy` while other entries wait to be
    ///   sent; `malformed` for an invalid machine name.
    public func addPaper(_ code: Secret, _ name: String) throws(VaultError) -> Bool {
        try log { transaction in
            let name = try Self.machineName(name)
            let keys = try MachineKeys(paper: code)
            guard var log = transaction.log, let book = log.book else { throw LogError(.noLog) }
            guard book.state.members[keys.id] == nil else { return true }
            guard book.member?.role == .keeper, book.mayAdmit else { throw LogError(.notAllowed) }
            guard log.out == nil, !book.awaitsRekey else { throw LogError(.logBusy) }
            let admission = try keys.admission(name, to: book.log, by: log.me.keys)
            log.out = LogOut(try book.addition(admission, transaction.signer(log)), revisions: [:])
            transaction.log = log
            return false
        }
    }

    /// Admits this machine to a log by the recovery code of a machine on paper.
    ///
    /// The first sync reads the log when it has the entries. Repeated calls return the same entries until the log has
    /// others at their positions.
    ///
    /// - Returns: the entries that admit this machine, or that must be in the log first; empty if the log has them.
    /// - Throws: `machineRevoked` for a code that does not open the log, or no longer does; `logExists` if this vault has a
    ///   log; `nameTaken`; `malformed` for an invalid machine name or log id; the errors of reading the log.
    public func recoverLog(_ recovery: LogRecovery) throws(VaultError) -> LogDelivery {
        try log { transaction in
            let name = try Self.machineName(recovery.name)
            let paper = try MachineKeys(paper: recovery.code)
            var facts = EntryContext(boxSecrets: [paper.boxSecret], generation: transaction.reader.generation)
            // A machine on paper does not remember its own entries.
            facts.wasRestored = true
            guard let log = LogID(bytes: recovery.log) else { throw LogError(.malformed) }
            var book = try LogSegment(recovery.entries, for: .recovering(paper.id, log: log), facts).book
            guard book.key != nil, book.member?.role == .keeper else { throw LogError(.machineRevoked) }
            var keys: MachineKeys?
            switch transaction.log?.me.stage {
            case nil, .asked, .removed: break
            case .admitted where transaction.log?.me.epoch?.log == book.log: keys = transaction.log?.me.keys
            case .admitted, .member: throw LogError(.logExists)
            }
            // A machine on paper also signs only one entry behind another.
            if keys != nil, let out = transaction.log?.out?.entries, let first = out.first,
                try EntryFrame(first.bytes).link == book.head.hash
            {
                return LogDelivery(out)
            }
            let own = try keys ?? MachineKeys(entropy: transaction.entropy)
            var out: [WrittenEntry] = []
            if book.state.members[own.id] == nil {
                let signer = EntrySigner(
                    keys: paper,
                    time: transaction.now * 1_000,
                    generation: transaction.reader.generation,
                    entropy: transaction.entropy
                )
                if book.awaitsRekey {
                    let rekey = try book.rekey(.removal, signer)
                    facts.sent = [rekey.head.hash]
                    _ = try book.take(rekey.bytes, facts)
                    out = [rekey]
                }
                out += try book.change([.add(try own.admission(name, to: book.log, by: paper))], signer)
            }
            let me = LogSelf(
                keys: own,
                name: name,
                address: (recovery.address.carrier, recovery.address.text),
                stage: .admitted(out.last?.head ?? book.head),
                epoch: LogSelf.Epoch(log: book.log, number: book.epoch, key: book.key)
            )
            if transaction.log == nil { transaction.log = StoredLog(me) } else { transaction.log?.begin(me) }
            transaction.log?.out = out.isEmpty ? nil : LogOut(out, revisions: [:])
            return LogDelivery(out)
        }
    }
}

extension LogDelivery {
    fileprivate init(_ entries: [WrittenEntry]) {
        (place, self.entries) = (entries.first?.head.place ?? 0, entries.map(\.bytes))
    }
}

extension MachineKeys {
    /// The operation that adds the machine with these keys as a keeper.
    fileprivate func admission(
        _ name: String,
        to log: LogID,
        by keeper: MachineKeys
    ) throws(LogError) -> LogOperation.Admission {
        try LogOperation.Admission(
            signKey: signKey,
            boxKey: boxKey,
            role: .keeper,
            name: name,
            log: log,
            by: keeper
        )
    }
}
