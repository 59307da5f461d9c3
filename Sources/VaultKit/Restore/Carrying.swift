internal import HSIP
public import RecordStore
internal import SSHFormats
internal import Secrets
internal import VaultCrypto
internal import VaultPolicy

/// The facts of a vault that an older copy must keep when it replaces the vault (Schemas/vault-file.md section 6).
///
/// These facts only ever grow: ended identities, sessions and offers, doubts, replaced pins, the trash, host keys with
/// their history, and rules that refuse. For keys and secrets they are the trash and the conditions, and for items of
/// programs the trash and the readers.
public enum Carrying {
    /// The changes that add the facts to the copy.
    ///
    /// Records in these changes count as written after the restore: contacts and hosts that the newer vault
    /// vouches for need no new verification, all others do.
    ///
    /// - Parameters:
    ///   - newer: the vault that the copy replaces.
    ///   - copy: the copy, before the restore.
    ///   - isWhole: whether this machine never saw anything newer than that vault.
    ///   - now: Unix seconds.
    /// - Returns: the changes; nil if one of the vaults is unreadable, or they belong to different people.
    public static func changes(
        from newer: any RecordReader,
        to copy: any RecordReader,
        isWhole: Bool,
        now: UInt64
    ) -> [Change]? {
        try? people(newer, copy, isWhole, now) + hosts(newer, copy, isWhole, now) + rules(newer, copy)
            + keys(newer, copy) + secrets(newer, copy) + profiles(newer, copy) + items(newer, copy)
    }

    private static func people(
        _ newer: any RecordReader,
        _ copy: any RecordReader,
        _ isWhole: Bool,
        _ now: UInt64
    ) throws -> [Change] {
        guard let before = try loaded(copy, now) else { return [] }
        guard let since = try loaded(newer, now),
            since.book.identity.publicKey == before.book.identity.publicKey
                || since.book.revoked[before.book.identity.peerID] != nil
        else { throw VaultError.noIdentity }
        var book = before.book
        book.clean()
        let successors = before.successors(in: since)
        _ = book.carry(
            from: since.book,
            successors: successors,
            isWhole: isWhole,
            at: since.book.clock.moment(wallClock: now)
        )
        var changes: [Change] = []
        for key in book.touched {
            guard var draft = try HSIPRecords.draft(of: key, in: book) else {
                changes.append(.delete(try id(of: key), expecting: nil))
                continue
            }
            if case .contact(let peer) = key, let old = successors.first(where: { $0.value == peer })?.key {
                (draft.uid, draft.created) = before.origin(of: old)
            }
            changes.append(.put(draft, expecting: try revision(of: draft.id, copy)))
        }
        return changes
    }

    /// The book after the effects of time and earlier restores; nil for a vault without an identity.
    private static func loaded(_ reader: any RecordReader, _ now: UInt64) throws -> LoadedBook? {
        do {
            var loaded = try LoadedBook(reader)
            try loaded.loadAll(reader)
            loaded.settle(wallClock: now)
            return loaded
        } catch VaultError.noIdentity {
            return nil
        }
    }

    /// The known hosts of the newer vault, and the hosts of the copy that the newer one does not know.
    private static func hosts(
        _ newer: any RecordReader,
        _ copy: any RecordReader,
        _ isWhole: Bool,
        _ now: UInt64
    ) throws -> [Change] {
        var before = try HostKeyTransaction(copy, now: now, entropy: .system)
        var book = try HostKeyTransaction(newer, now: now, entropy: .system).book
        if !isWhole { book.countAsRestored() }
        book.adopt(from: before.book)
        before.book = book
        return try before.allChanges(writing: true).changes
    }

    private static func id(of key: Book.Key) throws -> RecordID {
        try HSIPRecords.id(of: key)
    }

    static func revision(of id: RecordID, _ reader: any RecordReader) throws -> Revision {
        try reader.info(id)?.revision ?? 0
    }
}

/// Items of programs: a restore never adds readers who may read an item without a question.
extension Carrying {
    /// For an item in both vaults: the trash, the newer owner, and only the common readers.
    ///
    /// An item that is unreadable in either vault stays as it is in the copy.
    static func items(_ newer: any RecordReader, _ copy: any RecordReader) throws -> [Change] {
        let kind = try RecordKind(ItemRecord.kind)
        var changes: [Change] = []
        for info in try copy.survey(kind).records where !info.isNewer {
            guard let since = try newer.info(info.id), !since.isNewer, since.uid == info.uid,
                let new = try? ItemRecord(since), let old = try? ItemRecord(info),
                let found = try copy.find(info.id)
            else { continue }
            var record = old
            var content = try ItemContent(content: found.body)
            record.owner = new.owner
            record.readers = old.readers.filter(new.readers.contains)
            if old.removedAt == nil, let removed = new.removedAt {
                (record.removedAt, content.removedAt) = (removed, removed)
            }
            guard record != old else { continue }
            record.changed = old.lastChange
            let body = try content.content()
            record = record.measured(by: body)
            let draft = RecordDraft(
                id: info.id,
                label: record.recordLabel,
                attributes: try record.recordAttributes(),
                expires: info.expires,
                body: body,
                uid: info.uid,
                created: info.created
            )
            changes.append(.put(draft, expecting: info.revision))
        }
        return changes
    }
}
