internal import Credentials
internal import RecordStore
internal import SharedLog
internal import VaultCrypto

extension SyncTransaction {
    /// Bytes of the operations of one change, so that it is one create for every carrier.
    private static let largestChange = 900_000

    /// What a change of this machine says.
    struct Given: Equatable {
        /// How many objects it puts or deletes.
        var count = 0
        /// Names of secrets that are too large for one create: they are not shared.
        var tooLarge: [String] = []
    }

    /// Makes an entry of the changes of this machine; the commit keeps it before it is sent.
    ///
    /// - Parameters:
    ///   - time: Unix milliseconds.
    ///   - entropy: Randomness for the entry.
    /// - Returns: what the entry says; nothing if there is nothing new, or an entry waits to be sent.
    /// - Throws: `LogError`.
    mutating func give(at time: UInt64, _ entropy: Entropy) throws -> Given {
        var given = Given()
        guard let book = log.book, log.out == nil, !book.awaitsRekey, book.member?.role == .keeper else {
            return given
        }
        var operations: [LogOperation] = []
        var revisions: [ObjectID: UInt64] = [:]
        var size = 0
        for (id, name) in names.sorted(by: { $0.key < $1.key }) where !isUnchanged(id) {
            guard let secret = try shared(id, name) else { continue }
            // A secret in the trash that the log does not have was deleted elsewhere, or never shared.
            guard log.index[id] != nil || secret.credential.removedAt == nil else { continue }
            let object = try secret.object()
            if log.index[id]?.line.digest == (try object.digest()) { continue }
            guard object.encoded.count <= Self.largestChange else {
                given.tooLarge.append(name)
                continue
            }
            guard size + object.encoded.count <= Self.largestChange else { break }
            size += object.encoded.count
            operations.append(.put(object))
            revisions[id] = try secrets.info(name)?.revision
        }
        // A record that cannot be read is not a record that was deleted.
        let deleted = secrets.isWhole ? log.index.rows.map(\.id).filter { isDeleted($0) } : []
        for id in deleted {
            guard size + ObjectID.size + 1 <= Self.largestChange else { break }
            size += ObjectID.size + 1
            operations.append(.delete(id))
        }
        guard !operations.isEmpty else { return given }
        given.count = operations.count
        let signer = EntrySigner(
            keys: log.me.keys,
            time: time,
            generation: reader.generation,
            entropy: entropy
        )
        log.out = LogOut(try book.change(operations, signer), revisions: revisions)
        return given
    }

    /// Whether the log has a secret whose record is gone from this machine.
    private func isDeleted(_ id: ObjectID) -> Bool { names[id] == nil && log.kept[id] == nil }
}
