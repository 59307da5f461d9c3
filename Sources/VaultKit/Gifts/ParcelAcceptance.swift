internal import HSIP
internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// The effect of a contact's parcel on the secrets of this vault.
struct ParcelAcceptance {
    /// The shared secret; nil for a withdrawal.
    private(set) var given: Credential?
    private let parcel: Parcel
    private let contact: Contact
    private let acceptance: GiftAcceptance

    init(_ parcel: Parcel, from contact: Contact, _ acceptance: GiftAcceptance) {
        (self.parcel, self.contact, self.acceptance) = (parcel, contact, acceptance)
    }

    /// Applies the parcel; returns the change, and the name of the secret in this vault.
    mutating func run(_ act: inout GiftTransaction) throws -> (ReceivedGift.Act, String) {
        let known = try act.gift(parcel.gift)
        switch parcel.act {
        case .withdraw: return try withdraw(known, &act)
        case .give: given = try parcel.credential()
        case .share: given = try share()
        }
        if let known, known.gift.way != .in || known.gift.contact != contact.peerID {
            throw GiftError.ofAnother
        }
        // A clock that is ahead on the sender's machine does not make a version in the future here.
        given = try given.map { credential in try credential.made(notAfter: act.now) }
        guard let given else { throw CredentialError.malformedGift }
        if let known, isOlder(than: known.gift) { return (.older, known.gift.secret) }
        guard let (gift, revision) = known, let copy = try copy(of: gift, &act) else {
            return try add(given, over: known, &act)
        }
        if parcel.version == gift.version, copy.hasSameFields(as: given), copy.expires == parcel.end {
            var seen = gift
            (seen.at, seen.made, seen.end, seen.withdrawnAt) = (act.now, parcel.made, parcel.end ?? 0, nil)
            try act.keep(seen, over: revision)
            return (.known, gift.secret)
        }
        try requireUnchanged(copy, since: gift)
        var next = copy
        try next.take(given: given)
        try mark(&next, at: act.now)
        try act.secrets.replace(gift.secret, by: next)
        try keep(gift, as: gift.secret, next, over: revision, &act)
        return (.versioned, gift.secret)
    }

    /// Whether a later parcel or a later version arrived before, because parcels may be delayed or reordered.
    private func isOlder(than gift: Gift) -> Bool {
        parcel.version < gift.version || parcel.made <= gift.made
    }

    /// The copy that a gift became here; nil if it was deleted or is in the trash, or another secret has its name.
    private func copy(of gift: Gift, _ act: inout GiftTransaction) throws -> Credential? {
        guard gift.isOf(try act.secrets.uid(of: gift.secret)) else { return nil }
        return try act.secrets.living(gift.secret)
    }

    /// Stores the secret under its own name, or under the requested one.
    private func add(
        _ given: Credential,
        over known: (gift: Gift, revision: Revision)?,
        _ act: inout GiftTransaction
    ) throws -> (ReceivedGift.Act, String) {
        if known == nil { try act.requireRoom() }
        let theirs = parcel.act == .share ? "share/\(contact.alias)" : parcel.name
        let name = NameRules.normalized(acceptance.name ?? theirs)
        // An invisible character makes a name look like another name; only the owner may choose such a name.
        guard acceptance.name != nil || name.unicodeScalars.allSatisfy({ !$0.isInvisible }) else {
            throw CredentialError.badName
        }
        try act.secrets.claim(name)
        var credential = given
        try mark(&credential, at: act.now)
        try act.secrets.add(credential, named: name)
        let gift = Gift(
            id: parcel.gift,
            contact: contact.peerID,
            way: .in,
            secret: name,
            version: parcel.version,
            at: act.now,
            digest: []
        )
        try keep(gift, as: name, credential, over: known?.revision ?? 0, &act)
        return (.added, name)
    }

    private func withdraw(
        _ known: (gift: Gift, revision: Revision)?,
        _ act: inout GiftTransaction
    ) throws -> (ReceivedGift.Act, String) {
        guard let (gift, revision) = known, gift.way == .in, gift.contact == contact.peerID else {
            throw GiftError.unknown
        }
        guard !isOlder(than: gift) else { return (.older, gift.secret) }
        var withdrawn = gift
        (withdrawn.withdrawnAt, withdrawn.made) = (act.now, parcel.made)
        guard let copy = try copy(of: gift, &act) else {
            try act.keep(withdrawn, over: revision)
            return (.gone, gift.secret)
        }
        try requireUnchanged(copy, since: gift)
        try act.secrets.remove(gift.secret)
        try act.keep(withdrawn, over: revision)
        return (.putAway, gift.secret)
    }

    /// Throws unless the copy is unchanged in this vault, or the caller allows replacing a changed one.
    private func requireUnchanged(_ copy: Credential, since gift: Gift) throws {
        guard !acceptance.replacesChanged else { return }
        let hasItsEnd = gift.end.map { $0 == copy.expires ?? 0 } ?? true
        guard hasItsEnd, try Self.digest(of: copy) == gift.digest else {
            throw CredentialError.changedMeanwhile
        }
    }

    private func keep(
        _ gift: Gift,
        as name: String,
        _ copy: Credential,
        over revision: Revision,
        _ act: inout GiftTransaction
    ) throws {
        var gift = gift
        (gift.secret, gift.version, gift.at) = (name, parcel.version, act.now)
        (gift.digest, gift.withdrawnAt) = (try Self.digest(of: copy), nil)
        (gift.record, gift.made, gift.end) = (try act.secrets.uid(of: name), parcel.made, parcel.end ?? 0)
        try act.keep(gift, over: revision)
    }

    /// Sets origin and expiry of a copy.
    private func mark(_ credential: inout Credential, at second: UInt64) throws(CredentialError) {
        try credential.setOrigin("from \(contact.alias), \(Self.date(second))")
        try credential.setExpires(parcel.end)
    }

    /// Makes the note in which a share is stored.
    private func share() throws -> Credential {
        guard let words = parcel.content else { throw CredentialError.malformedGift }
        let field = try CredentialField(CredentialField.text, words)
        let version = try CredentialVersion(
            number: parcel.version,
            created: parcel.made,
            fields: [field]
        )
        var note = try Credential(.note, versions: [version])
        try note.setTags(["share"])
        return note
    }

    /// The digest of a copy; it equals the digest of the gift if the copy is unchanged.
    private static func digest(of copy: Credential) throws -> [UInt8] {
        Hash.sha256(try copy.given().content())
    }

    /// The date of a time in UTC: `2026-11-22`.
    static func date(_ second: UInt64) -> String {
        // Days are counted from 1 March of the year 0, in eras of 400 years.
        let days = Int64(second / 86_400) + 719_468
        let (era, day) = (days / 146_097, days % 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let ofYear = day - (365 * year + year / 4 - year / 100)
        let shifted = (5 * ofYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let parts = [year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * shifted + 2) / 5 + 1]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
    }
}

extension Credential {
    /// Limits the time of the version, and resets a number so high that later versions would have no room.
    fileprivate func made(notAfter second: UInt64) throws -> Credential {
        let version = try CredentialVersion(
            number: current.number > Parcel.highestKept ? 1 : current.number,
            created: min(current.created, second),
            fields: current.fields
        )
        var credential = try Credential(kind, versions: [version])
        try credential.setTags(tags)
        return credential
    }
}

extension Unicode.Scalar {
    /// Whether the character is invisible, so that two names which differ only in it look equal.
    fileprivate var isInvisible: Bool { properties.isDefaultIgnorableCodePoint || value == 0x2800 }
}
