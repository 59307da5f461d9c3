internal import RecordStore
internal import SharedLog
internal import VaultCrypto

extension SyncTransaction {
    /// The size of a change that this machine sends to the log.
    struct Given: Equatable {
        /// The number of objects put or deleted.
        var count = 0
        /// Names of records that are not shared: too large for one create, or with a name that the log cannot have.
        var tooLarge: [String] = []
    }

    /// A change in progress, which fits into one create of every carrier.
    struct Draft {
        /// The most bytes of its operations.
        private static let largest = 900_000

        private(set) var operations: [LogOperation] = []
        private(set) var revisions: [ObjectID: Revision] = [:]
        private(set) var isFull = false
        private var size = 0
        var given = Given()

        /// Adds a record; the name of a record that is too large for every change is noted.
        mutating func put(_ object: SharedObject, named name: String, revision: Revision) throws {
            guard object.encoded.count <= Self.largest else { return given.tooLarge.append(name) }
            guard makesRoom(object.encoded.count) else { return }
            operations.append(.put(object))
            revisions[object.id] = revision
        }

        mutating func delete(_ id: ObjectID) {
            if makesRoom(ObjectID.size + 1) { operations.append(.delete(id)) }
        }

        private mutating func makesRoom(_ count: Int) -> Bool {
            isFull = isFull || size + count > Self.largest
            if !isFull { size += count }
            return !isFull
        }
    }

    /// Makes an entry from the changes of this machine; the commit stores the entry before it is sent.
    ///
    /// - Returns: the size of the change; empty if nothing is new, or an entry waits to be sent. For a read-only machine,
    ///   the number of changes that stay here.
    /// - Throws: `LogError`.
    mutating func give() throws -> Given {
        // A read-only machine only counts the changes that stay here.
        if log.book?.member?.role == .reader { return Given(count: try draft().operations.count) }
        guard let book = log.book, log.out == nil, book.member?.role == .keeper else { return Given() }
        if let entries = try Self.duty(book, signer) {
            log.out = LogOut(entries, revisions: [:])
            return Given()
        }
        try makeWay()
        try keepConflicts()
        let draft = try draft()
        if !draft.operations.isEmpty {
            log.out = LogOut(try book.change(draft.operations, signer), revisions: draft.revisions)
        }
        let isAll =
            !draft.isFull && draft.given.tooLarge.isEmpty && log.kept.isEmpty && missing.isEmpty && isWhole
            && secrets.newer.isEmpty && keys.newer.isEmpty && hosts.newer.isEmpty
        // The commit that records this is the next one.
        if isAll, log.out != nil || log.given != reader.generation { log.given = reader.generation + 1 }
        return draft.given
    }

    /// Collects the changes of this machine that are not in the log.
    private mutating func draft() throws -> Draft {
        var draft = Draft()
        try keys.give(&draft, &log)
        try hosts.give(&draft, &log)
        try secrets.give(&draft, &log)
        try hostKeys.give(&draft, &log)
        // An unreadable record does not count as deleted.
        let gone = log.index.rows { id, row in
            log.kept[id] == nil && !row.isWithheld && isGone(id, row.line.kind)
        }
        for (id, _) in gone { draft.delete(id) }
        draft.given.count = draft.operations.count
        return draft
    }

    /// The entries that a keeper must write before changes.
    ///
    /// They are the new key after a removal, or the removal of a machine that left.
    private static func duty(_ book: LogBook, _ signer: EntrySigner) throws -> [WrittenEntry]? {
        if book.awaitsRekey { return [try book.rekey(.removal, signer)] }
        guard let left = book.state.sortedMembers.first(where: { $0.role == .left }) else { return nil }
        return try book.removal(of: left.id, reason: 0, signer)
    }

    private var isWhole: Bool { secrets.isWhole && keys.isWhole && hosts.isWhole && hostKeys.isWhole }

    /// Whether the log has a record that was deleted here.
    private func isGone(_ id: ObjectID, _ kind: UInt8) -> Bool {
        let isWhole =
            switch SharedKind(rawValue: kind) {
            case .secret: secrets.isWhole
            case .sshKey: keys.isWhole
            case .sshHost: hosts.isWhole
            case .knownHost: hostKeys.isWhole
            default: false
            }
        return isWhole && !has(id, kind)
    }
}
