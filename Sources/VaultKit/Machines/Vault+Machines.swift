internal import HSIP
internal import RecordStore
internal import SharedLog
internal import VaultCrypto

extension Vault {
    /// The state of the shared log; nil if the vault has no shared log.
    public func logState() throws(VaultError) -> LogSummary? {
        let known = logMemory.records
        let (log, found) = try reading { reader in
            let records = SurveyedReader(reader, known)
            return (try StoredLog(records, readsRecords: false), records.found)
        }
        logMemory.records = found
        return log.map { LogSummary($0) }
    }

    /// Makes a log with this machine as its first member; `giveLog` returns its first entries.
    ///
    /// If a log with this name and address was made but not sent yet, the call changes nothing.
    ///
    /// - Throws: `logExists`; `malformed` for an invalid machine name.
    public func foundLog(_ name: String, at address: LogAddress) throws(VaultError) -> LogSummary {
        try log { transaction in
            let name = try Self.machineName(name)
            if let log = transaction.log {
                guard log.out?.entries.first?.head.place == 1, log.me.name == name,
                    log.me.address == (address.carrier, address.text)
                else { throw LogError(.logExists) }
                return LogSummary(log)
            }
            let id = LogID(digest: transaction.entropy.bytes(LogID.size))
            var log = StoredLog(
                LogSelf(
                    keys: try MachineKeys(entropy: transaction.entropy),
                    name: name,
                    address: (address.carrier, address.text),
                    stage: .member,
                    epoch: LogSelf.Epoch(log: id, number: 1, key: nil)
                )
            )
            let (book, entries) = try LogBook.founding(
                id,
                name: name,
                objects: [],
                transaction.signer(log)
            )
            log.book = book
            log.me.epoch = LogSelf.Epoch(log: id, number: book.epoch, key: book.key)
            log.out = LogOut(entries, revisions: [:])
            transaction.log = log
            return LogSummary(log)
        }
    }

    /// Makes the keys of a machine that wants to join a log; a repeated call makes a new code for the same keys.
    ///
    /// - Throws: `logExists`; `malformed` for an invalid machine name.
    public func joinLog(_ name: String) throws(VaultError) -> MachineCodeShown {
        let join: JoinCode = try log { transaction in
            let name = try Self.machineName(name)
            var keys: MachineKeys?
            if let log = transaction.log {
                switch log.me.stage {
                case .asked: keys = log.me.keys
                case .removed: break
                case .admitted, .member: throw LogError(.logExists)
                }
            }
            let own = try keys ?? MachineKeys(entropy: transaction.entropy)
            let unsigned = try JoinCode.unsigned(
                issued: transaction.now,
                signKey: own.signKey,
                boxKey: own.boxKey,
                name: name
            )
            let join = try JoinCode(unsigned: unsigned, seed: own.seed)
            let me = LogSelf(
                keys: own,
                name: name,
                address: (0, ""),
                stage: .asked(join: join.bytes),
                epoch: nil
            )
            if transaction.log == nil { transaction.log = StoredLog(me) } else { transaction.log?.begin(me) }
            return join
        }
        let digits = try asVaultError { try join.number().text }
        return MachineCodeShown(code: join.text, number: digits)
    }

    /// Adds the machine of a JOIN code whose digits a person typed; `giveLog` returns the entry.
    ///
    /// A machine that is already in the log, but has not written to it, stays as it is.
    ///
    /// - Throws: `noLog`; `notAllowed` unless this machine is a keeper; `numberDiffers`; `codeExpired`, `codeFromFuture`,
    ///   `badSignature`; `nameTaken`; `alreadyMember` for a machine that has written to the log or has another key there;
    ///   `logBusy` while other entries wait to be sent.
    public func admit(
        _ join: [UInt8],
        _ number: String,
        isReader: Bool = false
    ) throws(VaultError) {
        let code = try Self.join(join)
        guard try asVaultError({ try code.number() }).matches(number) else {
            throw .log(LogError(.numberDiffers))
        }
        try log { transaction in
            guard var log = transaction.log, let book = log.book else { throw LogError(.noLog) }
            guard !book.awaitsRekey else { throw LogError(.logBusy) }
            guard book.member?.role == .keeper, book.mayAdmit else { throw LogError(.notAllowed) }
            if let member = book.state.members[MachineKeys.id(signKey: code.signKey)] {
                guard member.boxKey == code.boxKey, book.times[member.id]?.last ?? 0 == 0 else {
                    throw LogError(.alreadyMember)
                }
                return
            }
            try code.checkTime(wallClock: transaction.now, effectiveNow: transaction.now)
            _ = try Self.machineName(code.name)
            guard log.out == nil else { throw LogError(.logBusy) }
            let admission = try LogOperation.Admission(
                signKey: code.signKey,
                boxKey: code.boxKey,
                role: isReader ? .reader : .keeper,
                name: code.name,
                log: book.log,
                by: log.me.keys
            )
            log.out = LogOut(try book.change([.add(admission)], transaction.signer(log)), revisions: [:])
            transaction.log = log
        }
    }

    /// Makes the ADMIT code for a machine that was added by its JOIN code; it names the newest entry accepted here.
    ///
    /// - Throws: `noLog`; `notAllowed`; `logBusy` before a new key; `unknownMachine` for a machine that is not in the log.
    public func admission(_ join: [UInt8]) throws(VaultError) -> MachineCodeShown {
        let code = try Self.join(join)
        let admit: AdmitCode = try log { transaction in
            guard let log = transaction.log, let book = log.book, let key = book.key else {
                throw LogError(.noLog)
            }
            guard !book.awaitsRekey else { throw LogError(.logBusy) }
            guard book.member?.role == .keeper, book.mayAdmit else { throw LogError(.notAllowed) }
            guard let member = book.state.members[MachineKeys.id(signKey: code.signKey)],
                member.boxKey == code.boxKey, member.role != .left
            else { throw LogError(.unknownMachine) }
            return try AdmitCode(
                for: code,
                try AdmitCode.Content(
                    epoch: book.epoch,
                    key: key,
                    role: member.role.rawValue,
                    carrier: log.me.address.carrier,
                    address: log.me.address.text
                ),
                head: AdmitCode.Head(
                    logID: book.log.bytes,
                    place: book.head.place,
                    hash: book.head.hash
                ),
                issued: transaction.now,
                ephemeral: try transaction.entropy.secret(32),
                seed: log.me.keys.seed
            )
        }
        let number = try asVaultError { try admit.number(for: code).text }
        return MachineCodeShown(code: admit.text, number: number)
    }

    /// Accepts an ADMIT code whose digits a person typed; the first sync must find the entry that it names.
    ///
    /// - Throws: `noLog` if no JOIN was shown; `otherJoin`; `numberDiffers`; `codeExpired`, `codeFromFuture`; `badSignature`;
    ///   `logExists` unless this machine waits for an ADMIT code.
    public func enterLog(_ admit: [UInt8], _ number: String) throws(VaultError) -> LogSummary {
        let code = try asVaultError { try AdmitCode(bytes: admit) }
        return try log { transaction in
            guard var log = transaction.log else { throw LogError(.noLog) }
            guard case .asked(let join) = log.me.stage else { throw LogError(.logExists) }
            let own = try JoinCode(bytes: join)
            let content: AdmitCode.Content
            do {
                content = try code.open(as: own, boxSecret: log.me.keys.boxSecret)
            } catch HSIPError.unknownOffer {
                throw LogError(.otherJoin)
            }
            try code.checkTime(wallClock: transaction.now, effectiveNow: transaction.now)
            guard try code.number(for: own).matches(number) else { throw LogError(.numberDiffers) }
            log.me.stage = .admitted(LogHead(place: code.place, hash: code.headHash))
            log.me.address = (content.carrier, content.address)
            log.me.epoch = LogSelf.Epoch(
                log: LogID(digest: code.logID),
                number: content.epoch,
                key: content.key
            )
            transaction.log = log
            return LogSummary(log)
        }
    }

    /// Removes a machine from the log and makes a new key without it; `giveLog` returns the entries.
    ///
    /// - Parameters:
    ///   - name: The machine.
    ///   - reason: The number of a REVOKE reason (Schemas/hsip-xc1.md): 0 for none.
    /// - Throws: `noLog`; `unknownMachine`, also for a machine that was removed before; `notAllowed` for this machine, and
    ///   unless this machine is a keeper; `logBusy` while other entries wait to be sent.
    public func revokeMachine(_ name: String, reason: UInt8) throws(VaultError) {
        let name = NameRules.normalized(name)
        try log { transaction in
            guard var log = transaction.log, let book = log.book else { throw LogError(.noLog) }
            guard let member = book.state.members.values.first(where: { $0.name == name }) else {
                throw LogError(.unknownMachine)
            }
            guard log.out == nil, !book.awaitsRekey else { throw LogError(.logBusy) }
            let entries = try book.removal(of: member.id, reason: reason, transaction.signer(log))
            log.out = LogOut(entries, revisions: [:])
            transaction.log = log
        }
    }

    /// Writes that this machine leaves the log; `giveLog` returns the entry, and `forgetLog` erases the rest.
    ///
    /// - Throws: `noLog`; `lastKeeper` if the other machines would have no keeper; `logBusy` while other entries wait to be
    ///   sent.
    public func leaveLog() throws(VaultError) {
        try log { transaction in
            guard var log = transaction.log, let book = log.book else { throw LogError(.noLog) }
            guard log.out == nil, !book.awaitsRekey else { throw LogError(.logBusy) }
            log.out = LogOut(try book.change([.leave], transaction.signer(log)), revisions: [:])
            transaction.log = log
        }
    }

    /// Erases everything that the vault knows about its log; records stay.
    ///
    /// - Throws: `noLog`.
    public func forgetLog() throws(VaultError) {
        try log(isErasing: true) { transaction in
            guard transaction.log != nil else { throw LogError(.noLog) }
            transaction.isErased = true
        }
    }

    /// Converts a text to a valid machine name, in normalisation form C.
    static func machineName(_ text: String) throws(LogError) -> String {
        let name = NameRules.normalized(text)
        guard MachineName.isUsable(name) else { throw LogError(.malformed) }
        return name
    }

    private static func join(_ bytes: [UInt8]) throws(VaultError) -> JoinCode {
        try asVaultError {
            let code = try JoinCode(bytes: bytes)
            try code.verifySignature()
            return code
        }
    }
}

extension LogSummary {
    init(_ log: StoredLog) {
        let stage: Stage =
            switch log.me.stage {
            case .asked: .asked
            case .admitted: .admitted
            case .member: .member
            case .removed: .removed
            }
        let book = log.book
        let members = book?.state.members.values.sorted { $0.name < $1.name } ?? []
        self.init(
            name: log.me.name,
            stage: stage,
            address: log.me.address.carrier == 0
                ? nil : LogAddress(carrier: log.me.address.carrier, text: log.me.address.text),
            log: log.me.epoch?.log.bytes,
            head: book.map { LogPlace($0) },
            machines: members.map { member in
                let times = book?.times[member.id]
                return MachineSummary(
                    name: member.name,
                    role: "\(member.role)",
                    isThis: member.id == log.me.keys.id,
                    added: times.flatMap { $0.added == 0 ? nil : $0.added / 1_000 },
                    lastChange: times.flatMap { $0.last == 0 ? nil : $0.last / 1_000 }
                )
            },
            isWaiting: log.out != nil,
            conflicts: log.conflicts.count,
            kept: log.kept.count,
            isRestored: stage == .member && log.predatesRestore
        )
    }
}

extension LogPlace {
    init(_ book: LogBook) { self.init(place: book.head.place, hash: book.head.hash, epoch: book.epoch) }
}
