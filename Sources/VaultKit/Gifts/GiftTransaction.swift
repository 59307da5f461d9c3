internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// A contact's session, the secrets and the gifts of one snapshot; one commit writes all their changes.
struct GiftTransaction {
    /// Sessions and contacts, with the changes made so far.
    private(set) var book: Book
    /// Secrets, with the changes made so far.
    var secrets: CredentialTransaction
    /// Unix seconds.
    let now: UInt64
    /// Whether the protocol refused the operation; the commit still writes the changes of the refusal.
    private(set) var isRefused = false
    private let loaded: LoadedBook
    private let reader: any RecordReader
    private let entropy: Entropy
    private var kept: [(draft: RecordDraft, revision: Revision)] = []
    private var deleted: [(id: RecordID, revision: Revision)] = []

    init(_ loaded: LoadedBook, _ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        (self.loaded, self.reader, self.now, self.entropy) = (loaded, reader, now, entropy)
        book = loaded.book
        secrets = try CredentialTransaction(reader, now: now, entropy: entropy)
    }

    /// Runs one event of the protocol on the book.
    ///
    /// - Throws: `hsip` for a refusal, whose changes `changesOfRefusal` writes.
    mutating func reduce(_ event: Event) throws -> Outcome {
        let outcome = try book.reduce(event, wallClock: now, entropy: entropy)
        guard let refusal = outcome.refusal else { return outcome }
        isRefused = true
        throw VaultError.hsip(refusal)
    }

    /// Returns 16 random bytes as the id of a new gift.
    ///
    /// - Throws: `tooMuch` if the vault has `Gift.maximum` gifts.
    func newGift() throws -> [UInt8] {
        try requireRoom()
        return entropy.bytes(Gift.idSize)
    }

    /// - Throws: `tooMuch` if the vault has `Gift.maximum` gifts.
    func requireRoom() throws {
        guard try reader.giftCount() < Gift.maximum else {
            throw CredentialError.tooMuch(limit: Gift.maximum)
        }
    }

    /// The gift with this id; nil if there is none.
    func gift(_ id: [UInt8]) throws -> (gift: Gift, revision: Revision)? { try reader.gift(id) }

    /// The latest gift of `secret` to `contact`; nil if there is none.
    ///
    /// Gifts of the secret that has the name now are preferred to gifts of earlier secrets with the name. Gifts that were
    /// not withdrawn are preferred to withdrawn gifts. `isOfThis` shows whether the gift is of the present secret.
    mutating func gift(
        of secret: String,
        to contact: PeerID
    ) throws -> (gift: Gift, revision: Revision, isOfThis: Bool)? {
        let uid = try secrets.uid(of: secret)
        func rank(_ gift: Gift) -> (Int, Int, UInt64, UInt64) {
            (gift.isOf(uid) ? 1 : 0, gift.withdrawnAt == nil ? 1 : 0, gift.made, gift.at)
        }
        let pairs = ["secret": secret, "contact": contact.hex, "way": Gift.Way.out.rawValue]
        let found = try reader.gifts(where: pairs).max { rank($0.gift) < rank($1.gift) }
        return found.map { ($0.gift, $0.revision, $0.gift.isOf(uid)) }
    }

    /// The time for the next parcel of a gift, Unix seconds.
    ///
    /// It is always later than the previous parcel, even if the clock went back, because the receiver orders parcels by it.
    func moment(after gift: Gift?) -> UInt64 {
        guard let gift else { return now }
        return min(max(now, gift.made.addingReportingOverflow(1).partialValue), Credential.latestTime)
    }

    /// Whether a later time than the gift's last parcel exists; a wrong clock may have set the highest time.
    func hasMoment(after gift: Gift) -> Bool { gift.made < Credential.latestTime }

    /// Writes a gift with the commit; the revision of a new gift is 0.
    mutating func keep(_ gift: Gift, over revision: Revision) throws {
        kept.append((try gift.draft(), revision))
    }

    /// Whether the vault has shares with this identifier, readable or not.
    func hasShares(_ identifier: UInt16) throws -> Bool {
        try reader.info(SharesRecord.recordID(identifier)) != nil
    }

    /// Writes the parcels of new shares with the commit.
    mutating func keep(_ shares: SharesRecord) throws {
        kept.append((try shares.draft(), 0))
    }

    /// Deletes the shares with this identifier, if any; also their gifts, unless holders have parcels (`areHeld`).
    mutating func forgetShares(_ identifier: UInt16, areHeld: Bool) throws {
        guard let found = try reader.find(SharesRecord.recordID(identifier)) else { return }
        deleted.append((found.info.id, found.info.revision))
        guard !areHeld, let shares = SharesRecord(found) else { return }
        for holder in shares.holders {
            guard let gift = try reader.info(Gift.recordID(holder.gift)) else { continue }
            deleted.append((gift.id, gift.revision))
        }
    }

    /// The changes to commit; nil if there are none.
    func changes() throws -> ChangeSet? {
        var set = try loaded.changes(to: book) ?? ChangeSet(floor: reader.floor)
        set.changes += try secrets.changes()?.changes ?? []
        for (draft, revision) in kept { set.put(draft, expecting: revision) }
        for (id, revision) in deleted { set.changes.append(.delete(id, expecting: revision)) }
        let renamings = secrets.renamings
        let known = Set(kept.map(\.draft.id))
        set.changes += try reader.giftChanges(following: renamings, set.changes, besides: known)
        if !renamings.isEmpty {
            var rules = try RuleTransaction(reader, now: now, entropy: entropy)
            try rules.follow(renamings)
            set.changes += try rules.changes()?.changes ?? []
        }
        return set.changes.isEmpty ? nil : set
    }

    /// The changes to commit after a refusal; nil if there are none.
    func changesOfRefusal() throws -> ChangeSet? { try loaded.changes(to: book, isRefused: true) }
}

extension Vault {
    /// Reads, changes and commits in one step; starts again if another process was faster.
    ///
    /// With `isTrial` nothing is written, and the result shows what would happen.
    func exchange<R>(
        _ scope: Scope,
        isTrial: Bool = false,
        _ act: (inout GiftTransaction) throws -> R
    ) throws(VaultError) -> R {
        guard !isTrial else { return try attempt(scope, act).0.get() }
        let (result, commit) = try committing { try attempt(scope, act) }
        let value = try result.get()
        if let commit { try prove(commit) }
        return value
    }

    /// Runs the operation once on one snapshot; returns its result and the changes to commit.
    private func attempt<R>(
        _ scope: Scope,
        _ act: (inout GiftTransaction) throws -> R
    ) throws(VaultError) -> (Result<R, VaultError>, ChangeSet?) {
        let (wallClock, entropy) = (now(), entropy)
        return try reading { reader in
            let loaded = try load(scope, reader, wallClock: wallClock)
            var transaction = try GiftTransaction(loaded, reader, now: wallClock, entropy: entropy)
            let result: R
            do { result = try act(&transaction) } catch {
                guard transaction.isRefused else { throw error }
                return (.failure(VaultError(error)), try transaction.changesOfRefusal())
            }
            return (.success(result), try transaction.changes())
        }
    }
}
