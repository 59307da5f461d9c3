internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// Converts between content and records: kinds, names and attributes of the seven kinds (Schemas/hsip-xc1.md section 11).
enum HSIPRecords {
    static let identity = "hsip.identity"
    static let contact = "hsip.contact"
    static let pairing = "hsip.pairing"
    static let offer = "hsip.offer"
    static let revoked = "hsip.revoked"
    static let seen = "hsip.seen"
    static let clock = "hsip.clock"

    static func id(of key: Book.Key) throws(StoreError) -> RecordID {
        switch key {
        case .identity: try RecordID(identity, "self")
        case .contact(let peer): try RecordID(contact, peer.hex)
        case .pairing(let id): try RecordID(pairing, Hex.encode(id.bytes))
        case .offer(let ref): try RecordID(offer, Hex.encode(ref))
        case .revoked(let peer): try RecordID(revoked, peer.hex)
        case .seen(let row):
            try RecordID(
                seen,
                Hex.encode(row.epoch) + "." + (row.isOwn ? "s" : "")
                    + String(row.nibble, radix: 16)
            )
        case .clock: try RecordID(clock, "mark")
        }
    }

    /// The record for a key of the book; nil if the book no longer has it.
    static func draft(of key: Book.Key, in book: Book) throws -> RecordDraft? {
        guard let (content, attributes) = try body(of: key, in: book) else { return nil }
        return RecordDraft(
            id: try id(of: key),
            label: label(of: key, in: book),
            attributes: try Attributes(attributes),
            body: content
        )
    }

    /// The label of a record, for people who see it in a list, as in a desktop's keyring.
    ///
    /// Only a contact's label has the contact's name; other records would have to be rewritten with each new
    /// name.
    static func label(of key: Book.Key, in book: Book) -> String {
        switch key {
        case .identity: "HSIP identity"
        case .contact(let peer): "HSIP contact " + (book.contacts[peer]?.alias ?? peer.hex)
        case .pairing: "HSIP session keys"
        case .offer: "HSIP offer"
        case .revoked: "HSIP ended identity"
        case .seen: "HSIP message numbers"
        case .clock: "HSIP clock mark"
        }
    }

    private static func body(
        of key: Book.Key,
        in book: Book
    ) throws -> (content: Secret, attributes: [String: String])? {
        switch key {
        case .identity: (try RecordContent.encode(book.identity), [:])
        case .clock: (try RecordContent.encode(book.clock), [:])
        case .contact(let peer):
            try book.contacts[peer].map { (try RecordContent.encode($0), ["alias": $0.alias]) }
        case .pairing(let id):
            try book.pairings[id].map { (try RecordContent.encode($0), attributes(of: $0)) }
        case .offer(let ref):
            try book.offers[ref].map { offer in
                (try RecordContent.encode(offer), offer.contact.map { ["contact": $0.hex] } ?? [:])
            }
        case .revoked(let peer): try book.revoked[peer].map { (try RecordContent.encode($0), [:]) }
        case .seen(let row): try book.seen[row].map { (try RecordContent.encode($0), [:]) }
        }
    }

    /// The searchable attributes of a pairing: a code names an epoch by its ref, so the refs must be found.
    private static func attributes(of pairing: Pairing) -> [String: String] {
        var found = ["contact": pairing.contact.hex]
        switch pairing.state {
        case .ended(let end):
            // The names stay searchable, so that an old code finds the pairing and learns that it ended.
            for (label, name) in zip(["ref.cur", "ref.next", "ref.prev1", "ref.prev2"], end.names) {
                found[label] = Hex.encode(name)
            }
        case .live(let rotation):
            found["ref.cur"] = Hex.encode(rotation.current.name)
            if let next = rotation.next { found["ref.next"] = Hex.encode(next.epoch.name) }
            for (index, old) in rotation.past.enumerated() {
                found["ref.prev\(index + 1)"] = Hex.encode(old.epoch.name)
            }
        }
        return found
    }
}
