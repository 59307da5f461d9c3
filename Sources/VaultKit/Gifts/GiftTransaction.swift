internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// A session, the secrets and the gifts in one snapshot, and what an act does to them: one commit.
struct GiftTransaction {
    /// Sessions and contacts by now.
    private(set) var book: Book
    /// Secrets by now.
    var secrets: CredentialTransaction
    /// Unix seconds.
    let now: UInt64
    /// The protocol refused the act: what it changed by that is written all the same.
    private(set) var isRefused = false
    private let loaded: LoadedBook
    private let reader: any RecordReader
    private let entropy: Entropy
    private var kept: [(draft: RecordDraft, revision: Revision)] = []
    private var deleted: [(id: RecordID, revision: Revision)] = []

    init(
        _ loaded: LoadedBook,
        _ reader: any RecordReader,
        now: UInt64,
        entropy: Entropy
    ) throws(VaultError) {
        (self.loaded, self.reader, self.now, self.entropy) = (loaded, reader, now, entropy)
        book = loaded.book
        secrets = try CredentialTransaction(reader, now: now, entropy: entropy)
    }

    /// Does an act of the protocol.
    mutating func reduce(_ event: Event) throws(VaultError) -> Outcome {
        let outcome: Outcome
        do throws(HSIPError) {
            outcome = try book.reduce(event, wallClock: now, entropy: entropy)
        } catch {
            throw .hsip(error)
        }
        guard let refusal = outcome.refusal else { return outcome }
        isRefused = true
        throw .hsip(refusal)
    }

    /// Sixteen random bytes that no gift has, while there is room for one more.
    ///
    /// - Throws: `tooMuch` where the vault remembers as many as it may.
    func newGift() throws(VaultError) -> [UInt8] {
        try requireRoom()
        return entropy.bytes(Gift.idSize)
    }

    /// - Throws: `tooMuch` where the vault remembers as many gifts as it may.
    func requireRoom() throws(VaultError) {
        guard try reader.giftCount() < Gift.maximum else { throw .secret(.tooMuch(limit: Gift.maximum)) }
    }

    /// The gift of a number; nil for none.
    func gift(_ id: [UInt8]) throws(VaultError) -> (gift: Gift, revision: Revision)? { try reader.gift(id) }

    /// What a contact was given under the name of a secret last: of the one that has the name now, where that is, before
    /// any that had it; nil for nothing.
    mutating func gift(
        of secret: String,
        to contact: PeerID
    ) throws(VaultError) -> (gift: Gift, revision: Revision, isOfThis: Bool)? {
        let uid = try secrets.uid(of: secret)
        func rank(_ gift: Gift) -> (Int, Int, UInt64, UInt64) {
            (gift.isOf(uid) ? 1 : 0, gift.withdrawnAt == nil ? 1 : 0, gift.made, gift.at)
        }
        let pairs = ["secret": secret, "contact": contact.hex, "way": Gift.Way.out.rawValue]
        let found = try reader.gifts(where: pairs).max { rank($0.gift) < rank($1.gift) }
        return found.map { ($0.gift, $0.revision, $0.gift.isOf(uid)) }
    }

    /// When the next parcel of a gift is sealed: later than the one before it, whatever the clock says, so that the taker
    /// knows their order.
    func moment(after gift: Gift?) -> UInt64 {
        guard let gift else { return now }
        return min(max(now, gift.made.addingReportingOverflow(1).partialValue), Credential.latestTime)
    }

    /// Whether there is such a later time at all: a clock may have been at its end.
    func hasMoment(after gift: Gift) -> Bool { gift.made < Credential.latestTime }

    /// Remembers a gift; 0 is the revision of a new one.
    mutating func keep(_ gift: Gift, over revision: Revision) throws(VaultError) {
        kept.append((try gift.draft(), revision))
    }

    /// Whether there are shares with an identifier; also such as cannot be read.
    func hasShares(_ identifier: UInt16) throws(VaultError) -> Bool {
        do throws(StoreError) {
            return try reader.info(SharesRecord.recordID(identifier)) != nil
        } catch {
            throw .store(error)
        }
    }

    /// Keeps the parcels of new shares.
    mutating func keep(_ shares: SharesRecord) throws(VaultError) {
        kept.append((try shares.draft(), 0))
    }

    /// Deletes them, and the gifts where no parcel has left; nothing where there are none.
    mutating func forgetShares(_ identifier: UInt16, areHeld: Bool) throws(VaultError) {
        do throws(StoreError) {
            guard let found = try reader.find(SharesRecord.recordID(identifier)) else { return }
            deleted.append((found.info.id, found.info.revision))
            guard !areHeld, let shares = SharesRecord(found) else { return }
            for holder in shares.holders {
                guard let gift = try reader.info(Gift.recordID(holder.gift)) else { continue }
                deleted.append((gift.id, gift.revision))
            }
        } catch {
            throw .store(error)
        }
    }

    /// What has to be written; nil for nothing.
    func changes() throws(VaultError) -> ChangeSet? {
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

    /// What a refused act has to write; nil for nothing.
    func changesOfRefusal() throws(VaultError) -> ChangeSet? { try loaded.changes(to: book, isRefused: true) }
}

extension Vault {
    /// Reads, acts and commits as one; starts again when another process was faster.
    ///
    /// With `isTrial` nothing is written: the result says what would become of it.
    func exchange<R>(
        _ scope: Scope,
        isTrial: Bool = false,
        _ act: (inout GiftTransaction) throws(VaultError) -> R
    ) throws(VaultError) -> R {
        guard !isTrial else { return try attempt(scope, act).0.get() }
        let (result, commit) = try committing { () throws(VaultError) in try attempt(scope, act) }
        let value = try result.get()
        if let commit { try prove(commit) }
        return value
    }

    /// One act on one snapshot.
    private func attempt<R>(
        _ scope: Scope,
        _ act: (inout GiftTransaction) throws(VaultError) -> R
    ) throws(VaultError) -> (Result<R, VaultError>, ChangeSet?) {
        let (wallClock, entropy) = (now(), entropy)
        return try reading { (reader) throws(VaultError) in
            let loaded = try load(scope, reader, wallClock: wallClock)
            var transaction = try GiftTransaction(loaded, reader, now: wallClock, entropy: entropy)
            let result: R
            do throws(VaultError) {
                result = try act(&transaction)
            } catch {
                guard transaction.isRefused else { throw error }
                return (.failure(error), try transaction.changesOfRefusal())
            }
            return (.success(result), try transaction.changes())
        }
    }
}
