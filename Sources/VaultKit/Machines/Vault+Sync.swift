internal import RecordStore
public import SharedLog
internal import VaultCrypto

extension Vault {
    /// Accepts entries of the log and applies them to the records, in one commit.
    ///
    /// - Parameter page: The entries, and the facts that the caller knows from outside the vault.
    /// - Returns: the changes.
    /// - Throws: `noLog`; `logBehind` for an empty page, because it must begin at the newest accepted entry; every other
    ///   `LogError` with the place and author of the entry. After an error nothing changed.
    public func takeLog(_ page: LogIntake) throws(VaultError) -> LogReport {
        try log { transaction in
            var sync = try transaction.begin()
            let facts = SyncTransaction.Facts(
                anchor: page.anchor.map { LogHead(place: $0.place, hash: $0.hash) },
                acceptsRemovals: page.acceptsRemovals,
                deletesMissing: page.deletesMissing,
                deleted: page.deleted
            )
            try sync.take(page.entries, facts)
            guard let book = sync.log.book else { throw LogError(.noLog) }
            transaction.sync = sync
            return LogReport(sync.report, kept: sync.log.kept.count, book)
        }
    }

    /// The entries that wait to be sent; if there are none, new entries for the changed records.
    ///
    /// The entries are durable before this returns them. Repeated calls return the same entries until
    /// `takeLog` accepts them or others at their positions.
    ///
    /// - Throws: `noLog`; `machineRevoked`.
    public func giveLog() throws(VaultError) -> LogDelivery {
        let given = try reading { try StoredLog.given($0) }
        if let given { return LogDelivery(head: given) }
        return try log { transaction in
            var sync = try transaction.begin()
            guard sync.log.me.stage != .removed else { throw LogError(.machineRevoked) }
            let given = try sync.give()
            transaction.sync = sync
            return LogDelivery(
                head: sync.log.book.map { LogPlace($0) },
                place: sync.log.out?.entries.first?.head.place ?? 0,
                entries: sync.log.out?.entries.map(\.bytes) ?? [],
                count: max(given.count, sync.log.out?.revisions.count ?? 0),
                renamed: sync.report.renamed,
                tooLarge: given.tooLarge,
                kept: sync.log.kept.count,
                missing: sync.missing.count,
                isReader: sync.log.book?.member?.role == .reader
            )
        }
    }
}

extension LogReport {
    init(_ report: SyncTransaction.Report, kept: Int, _ book: LogBook) {
        self.init(
            received: report.authors,
            conflicts: report.conflicts,
            renamed: report.renamed,
            removedElsewhere: report.removedElsewhere,
            hostKeysDiffer: report.hostKeysDiffer,
            kept: kept,
            joined: report.joined,
            gone: report.gone,
            missing: report.missing,
            isRevoked: report.isRevoked,
            deleted: report.deleted,
            head: LogPlace(book)
        )
    }
}

extension Vault {
    /// This machine's login to the servers of its log; nil if none was set.
    public func logLogin() throws(VaultError) -> LogLogin? {
        try reading { reader in
            try reader.find(try StoredLog.loginID).map { try LogLogin(content: $0.body) }
        }
    }

    /// Stores a new login of this machine; `forgetLog` erases it.
    ///
    /// - Throws: `noLog`; `malformed` for a login that is too long.
    public func setLogin(_ login: LogLogin) throws(VaultError) {
        try log { transaction in
            guard transaction.log != nil else { throw LogError(.noLog) }
            transaction.login = login
        }
    }
}

extension StoredLog {
    /// The id of the login record.
    static var loginID: RecordID {
        get throws(StoreError) { try RecordID(Kind.login.rawValue, "self") }
    }
}
