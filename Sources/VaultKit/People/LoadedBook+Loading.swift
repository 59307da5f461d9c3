internal import HSIP
internal import RecordStore
internal import VaultCrypto

/// Loads the records of people that an operation needs, besides identity and clock.
extension LoadedBook {
    /// Loads everything except the nonce rows: contacts, pairings, offers and revoked identities.
    mutating func loadAll(_ reader: any RecordReader) throws {
        for info in try reader.list(try RecordKind(HSIPRecords.contact)) {
            try add(contact: info, reader)
        }
        for info in try reader.list(try RecordKind(HSIPRecords.pairing)) {
            try add(pairing: info.id, reader)
        }
        for info in try reader.list(try RecordKind(HSIPRecords.offer)) { try add(offer: info, reader) }
        for info in try reader.list(try RecordKind(HSIPRecords.revoked)) {
            try add(revoked: info, reader)
        }
    }

    /// Like `loadAll`, but without damaged records; only for display, because an operation would treat them as missing.
    mutating func loadSound(_ reader: any RecordReader) throws {
        try surveyed(HSIPRecords.contact, reader) { book, info in try book.add(contact: info, reader) }
        try surveyed(HSIPRecords.pairing, reader) { book, info in try book.add(pairing: info.id, reader) }
        try surveyed(HSIPRecords.offer, reader) { book, info in try book.add(offer: info, reader) }
        try surveyed(HSIPRecords.revoked, reader) { book, info in try book.add(revoked: info, reader) }
    }

    private mutating func surveyed(
        _ kind: String,
        _ reader: any RecordReader,
        _ add: (inout LoadedBook, RecordInfo) throws -> Void
    ) throws {
        let survey = try reader.survey(try RecordKind(kind))
        damaged += survey.damaged
        for info in survey.records {
            do {
                try add(&self, info)
            } catch StoreError.tampered(.record(let record)) {
                damaged.append(record)
            }
        }
    }

    /// Loads one contact with its pairings; false if the contact does not exist.
    mutating func load(contact peer: PeerID, _ reader: any RecordReader) throws -> Bool {
        guard let info = try reader.info(try HSIPRecords.id(of: .contact(peer))) else { return false }
        try add(contact: info, reader)
        for entry in book.contacts[peer]?.pairings ?? [] {
            try add(pairing: try HSIPRecords.id(of: .pairing(entry.id)), reader)
        }
        return true
    }

    /// Loads the offers of a contact.
    mutating func load(offersOf peer: PeerID, _ reader: any RecordReader) throws {
        let kind = try RecordKind(HSIPRecords.offer)
        for info in try reader.list(kind, where: try Attributes(["contact": peer.hex])) {
            try add(offer: info, reader)
        }
    }

    /// Loads the rows that may contain a nonce, for every loaded epoch.
    mutating func load(seen nonce: [UInt8], _ reader: any RecordReader) throws {
        for pairing in book.pairings.values {
            for name in pairing.epochNames {
                try load(row: .init(epoch: name, nonce: nonce), reader)
                if pairing.profile == .single {
                    try load(row: .init(epoch: name, nonce: nonce, isOwn: true), reader)
                }
            }
        }
    }

    /// Loads one row of nonces; a missing row is empty.
    mutating func load(row: SeenNonces.Key, _ reader: any RecordReader) throws {
        guard let record = try reader.find(try HSIPRecords.id(of: .seen(row))) else { return }
        book.load(try RecordContent.seen(record.body), at: row)
        revisions[.seen(row)] = record.info.revision
    }

    private mutating func add(contact info: RecordInfo, _ reader: any RecordReader) throws {
        guard let record = try reader.find(info.id), let bytes = Hex.decode(info.id.name),
            let peer = PeerID(bytes: bytes)
        else { return }
        book.load(try RecordContent.contact(record.body, peerID: peer))
        revisions[.contact(peer)] = record.info.revision
        uids[peer] = (record.info.uid, record.info.created)
        if record.info.predatesRestore { restored.contacts.insert(peer) }
    }

    private mutating func add(pairing recordID: RecordID, _ reader: any RecordReader) throws {
        guard let record = try reader.find(recordID), let bytes = Hex.decode(recordID.name),
            let id = PairingID(bytes: bytes)
        else { return }
        book.load(try RecordContent.pairing(record.body, id: id))
        revisions[.pairing(id)] = record.info.revision
        if record.info.predatesRestore { restored.pairings.insert(id) }
    }

    private mutating func add(offer info: RecordInfo, _ reader: any RecordReader) throws {
        guard let record = try reader.find(info.id), let ref = Hex.decode(info.id.name) else { return }
        book.load(try RecordContent.offer(record.body, ref: ref))
        revisions[.offer(ref)] = record.info.revision
        if record.info.predatesRestore { restored.offers.insert(ref) }
    }

    private mutating func add(revoked info: RecordInfo, _ reader: any RecordReader) throws {
        guard let record = try reader.find(info.id), let bytes = Hex.decode(info.id.name),
            let peer = PeerID(bytes: bytes)
        else { return }
        book.load(try RecordContent.revoked(record.body), of: peer)
        revisions[.revoked(peer)] = record.info.revision
    }
}
