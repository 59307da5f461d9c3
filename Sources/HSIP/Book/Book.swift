package import VaultCrypto

/// The state of the protocol: all records that an event needs.
///
/// A book is a plain value. An event changes a copy, and the copy replaces the book only after its change set is
/// durable. The book remembers which records changed, so that one event is one atomic change set (Schemas/hsip-xc1.md
/// section 11).
public struct Book: Sendable {
    /// Names a record of the book.
    public enum Key: Hashable, Sendable {
        case identity
        case contact(PeerID)
        case pairing(PairingID)
        case offer([UInt8])
        case revoked(PeerID)
        case seen(SeenNonces.Key)
        case clock
    }

    /// My identity.
    public private(set) var identity: Identity
    /// The clock mark.
    public private(set) var clock: ClockMark
    /// Contacts, also those in the trash.
    public private(set) var contacts: [PeerID: Contact]
    /// Pairings, including ended ones that are still kept.
    public private(set) var pairings: [PairingID: Pairing]
    /// My offers, and the contacts' offers that I answered.
    public private(set) var offers: [[UInt8]: Offer]
    /// Identities that their owners ended.
    public private(set) var revoked: [PeerID: RevokedIdentity]
    /// Rows of read (or, for a single key, sent) nonces; an absent row is an empty one.
    public private(set) var seen: [SeenNonces.Key: SeenNonces]
    /// The records that this event changed or removed: the change set.
    public private(set) var touched: Set<Key> = []
    /// Records that time or a restore changed on load; written with the next change set.
    public private(set) var settled: Set<Key> = []

    /// Makes the emoji of a new pairing; a program that makes thousands of pairings can use a cheaper function.
    package var picture: @Sendable (Secret, [UInt8]) throws(HSIPError) -> [UInt8] = Self.slowPicture

    private static let slowPicture: @Sendable (Secret, [UInt8]) throws(HSIPError) -> [UInt8] = {
        (secret, transcript) throws(HSIPError) in
        try Emoji.indices(emojiSecret: secret, transcript: transcript)
    }

    /// A book from stored records.
    public init(
        identity: Identity,
        clock: ClockMark = ClockMark(),
        contacts: [Contact] = [],
        pairings: [Pairing] = [],
        offers: [Offer] = [],
        revoked: [PeerID: RevokedIdentity] = [:],
        seen: [SeenNonces.Key: SeenNonces] = [:]
    ) {
        self.identity = identity
        self.clock = clock
        self.contacts = Dictionary(contacts.map { ($0.peerID, $0) }) { _, last in last }
        self.pairings = Dictionary(pairings.map { ($0.id, $0) }) { _, last in last }
        self.offers = Dictionary(offers.map { ($0.ref, $0) }) { _, last in last }
        self.revoked = revoked
        self.seen = seen
    }

    /// Adds a stored record, without a change to write.
    public mutating func load(_ value: Contact) { contacts[value.peerID] = value }

    /// Adds a stored record, without a change to write.
    public mutating func load(_ value: Pairing) { pairings[value.id] = value }

    /// Adds a stored record, without a change to write.
    public mutating func load(_ value: Offer) { offers[value.ref] = value }

    /// Adds a stored record, without a change to write.
    public mutating func load(_ value: RevokedIdentity, of peer: PeerID) { revoked[peer] = value }

    /// Adds a stored row, without a change to write.
    public mutating func load(_ value: SeenNonces, at key: SeenNonces.Key) { seen[key] = value }

    /// Marks everything as written to the store.
    public mutating func clean() {
        touched = []
        settled = []
    }

    /// Leaves changes by time or a restore out of this event's change set.
    mutating func dropSettled() { settled = [] }

    mutating func put(_ value: Identity) {
        identity = value
        touched.insert(.identity)
    }

    mutating func put(_ value: ClockMark) {
        clock = value
        touched.insert(.clock)
    }

    mutating func put(_ value: Contact) {
        contacts[value.peerID] = value
        touched.insert(.contact(value.peerID))
    }

    mutating func put(_ value: Pairing) {
        pairings[value.id] = value
        touched.insert(.pairing(value.id))
    }

    mutating func put(_ value: Offer) {
        offers[value.ref] = value
        touched.insert(.offer(value.ref))
    }

    mutating func put(_ value: RevokedIdentity, of peer: PeerID) {
        revoked[peer] = value
        touched.insert(.revoked(peer))
    }

    mutating func put(_ value: SeenNonces, at key: SeenNonces.Key) {
        seen[key] = value
        touched.insert(.seen(key))
    }

    mutating func remove(contact: PeerID) {
        contacts[contact] = nil
        touched.insert(.contact(contact))
    }

    /// Removes every nonce row of an epoch, in the change set that ends the epoch's keys.
    mutating func forgetNonces(of epoch: [UInt8]) {
        for nibble in UInt8(0)...15 {
            for isOwn in [false, true] {
                let key = SeenNonces.Key(epoch: epoch, nibble: nibble, isOwn: isOwn)
                seen[key] = nil
                touched.insert(.seen(key))
            }
        }
    }

    /// Stores a change by time or a restore, which is written only together with another change.
    mutating func settle(contact: Contact) {
        contacts[contact.peerID] = contact
        settled.insert(.contact(contact.peerID))
    }

    mutating func settle(pairing: Pairing) {
        pairings[pairing.id] = pairing
        settled.insert(.pairing(pairing.id))
    }

    mutating func settle(offer: Offer) {
        offers[offer.ref] = offer
        settled.insert(.offer(offer.ref))
    }

    mutating func settleRemoval(offer ref: [UInt8]) {
        offers[ref] = nil
        settled.insert(.offer(ref))
    }

    mutating func settleRemoval(pairing id: PairingID) {
        pairings[id] = nil
        settled.insert(.pairing(id))
    }

    mutating func settleNonces(of epoch: [UInt8]) {
        for nibble in UInt8(0)...15 {
            for isOwn in [false, true] {
                let key = SeenNonces.Key(epoch: epoch, nibble: nibble, isOwn: isOwn)
                seen[key] = nil
                settled.insert(.seen(key))
            }
        }
    }
}

/// An identity that its owner ended; permanent.
public struct RevokedIdentity: Sendable, Hashable {
    /// The notice, signed by the identity itself.
    public let notice: RevokeCode
    /// Time when this vault accepted the notice, Unix seconds.
    public let seenAt: UInt64

    /// A revoked identity, fresh or as it was stored.
    public init(notice: RevokeCode, seenAt: UInt64) {
        self.notice = notice
        self.seenAt = seenAt
    }
}
