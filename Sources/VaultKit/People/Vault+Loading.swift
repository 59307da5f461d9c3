internal import HSIP
internal import RecordStore
internal import VaultCrypto

extension Vault {
    /// Loads a book for reading only.
    func book(_ scope: Scope = .all) throws(VaultError) -> Book {
        try load(scope, wallClock: clock()).book
    }

    /// Loads the book of a scope together with the infos of its records.
    func load(_ scope: Scope, wallClock: UInt64) throws(VaultError) -> LoadedBook {
        try reading { reader in try load(scope, reader, wallClock: wallClock) }
    }

    func load(_ scope: Scope, _ reader: any RecordReader, wallClock: UInt64) throws -> LoadedBook {
        var loaded = try LoadedBook(
            reader,
            isShown: scope.isShown,
            replacingIdentity: scope.showsOthers ? entropy : nil
        )
        switch scope {
        case .identity: break
        case .all:
            try loaded.loadAll(reader)
            loaded.settle(wallClock: wallClock)
        case .shown:
            try loaded.loadSound(reader)
            loaded.settle(wallClock: wallClock)
        case .carried(let envelope):
            try loaded.loadAll(reader)
            try loaded.load(seen: envelope.nonce, reader)
            loaded.settle(wallClock: wallClock)
        case .sending(let names):
            var peers: [PeerID] = []
            for name in names { peers.append(try resolve(name, reader, &loaded)) }
            loaded.settle(wallClock: wallClock)
            for peer in peers { try loadForSending(peer, reader, &loaded, wallClock: wallClock) }
        case .reading(let envelope, let from):
            if let from {
                _ = try resolve(from, reader, &loaded)
            } else {
                _ = try loaded.load(contact: envelope.sender, reader)
            }
            try loaded.load(seen: envelope.nonce, reader)
            loaded.settle(wallClock: wallClock)
        }
        return loaded
    }

    /// Loads the offers of a contact only if sending may need them, because finding them needs a search.
    private func loadForSending(
        _ peer: PeerID,
        _ reader: any RecordReader,
        _ loaded: inout LoadedBook,
        wallClock: UInt64
    ) throws {
        guard let contact = loaded.book.contacts[peer], let entry = PairingOrder.sending(contact.pairings),
            let current = loaded.book.pairings[entry.id]?.rotation?.current
        else { return }
        let moment = loaded.book.clock.moment(wallClock: wallClock)
        if !entry.isConfirmed || current.sent + 1 >= current.limit || !current.maySeal(at: moment) {
            try loaded.load(offersOf: peer, reader)
            loaded.settle(wallClock: wallClock)
        }
        if entry.isLegacy { try loadOwnRows(of: current.name, reader, &loaded) }
    }

    private func loadOwnRows(
        of epoch: [UInt8],
        _ reader: any RecordReader,
        _ loaded: inout LoadedBook
    ) throws {
        for nibble in UInt8(0)...15 {
            try loaded.load(row: .init(epoch: epoch, nibble: nibble, isOwn: true), reader)
        }
    }

    /// Finds the contact of an alias, and loads it with its pairings.
    private func resolve(
        _ name: String,
        _ reader: any RecordReader,
        _ loaded: inout LoadedBook
    ) throws -> PeerID {
        if reader.generation != aliasGeneration {
            aliases = [:]
            aliasGeneration = reader.generation
        }
        if let peer = aliases[name], try loaded.load(contact: peer, reader) { return peer }
        let kind = try RecordKind(HSIPRecords.contact)
        let survey = try reader.survey(kind, where: try Attributes(["alias": name]))
        let found = survey.records
        guard found.count < 2 else { throw VaultError.hsip(.ambiguousName) }
        // Only one contact can have the name, so a damaged contact matters only if the name was not found.
        if found.isEmpty, let damaged = survey.damaged.first {
            throw StoreError.tampered(damaged.tampered)
        }
        guard let info = found.first, let bytes = Hex.decode(info.id.name),
            let peer = PeerID(bytes: bytes), try loaded.load(contact: peer, reader)
        else { throw VaultError.hsip(.unknownContact) }
        aliases[name] = peer
        return peer
    }
}

extension Book {
    /// The contact of an alias; `ambiguousName` if a race left two contacts with it.
    func named(_ alias: String) throws(VaultError) -> Contact {
        let found = contacts.values.filter { $0.alias == alias }
        guard found.count < 2 else { throw .hsip(.ambiguousName) }
        guard let contact = found.first else { throw .hsip(.unknownContact) }
        return contact
    }
}
