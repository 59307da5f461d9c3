internal import VaultCrypto

extension Book {
    /// Imports a 32-byte key of an older program: one key for both directions, byte-compatible messages.
    ///
    /// - Throws: `keyRefused` for the known dummy keys; `keyKnown` for a key that was here before, even for another
    ///   person, and even if it was wiped.
    mutating func importLegacy(_ request: LegacyImport, at moment: Moment) throws(HSIPError) -> Outcome {
        try LegacyKey.check(request.key)
        guard (1...Terms.longestLifeHours).contains(request.lifeHours) else { throw .malformed }
        guard request.peerID != identity.peerID else { throw .selfPairing }
        guard revoked[request.peerID] == nil else { throw .identityRevoked }
        let name = try LegacyKey.name(of: request.key)
        guard let bytes = Hex.decode(name), let id = PairingID(bytes: bytes) else { throw .malformed }
        guard pairings[id] == nil else { throw .keyKnown }
        var contact = try legacyContact(request)
        let nonceKey = Secret(try HedgedNonce.legacyKey(of: request.key))
        let keys = EpochKeys(
            send: request.key,
            sendNonce: nonceKey,
            receive: request.key,
            rotate: nil,
            chain: nil
        )
        let epoch = Epoch<HSIPScheme>(
            number: 0,
            name: try LegacyKey.ref(of: request.key),
            suite: .one,
            keys: keys,
            end: moment.wallClock + UInt64(request.lifeHours) * 3600,
            limit: Terms.highestLimit
        )
        try requireSoundClock(at: moment)
        put(
            Pairing(
                id: id,
                contact: contact.peerID,
                role: .offerer,
                profile: .single,
                emoji: [],
                state: .live(Rotation(current: epoch))
            )
        )
        contact.pairings.append(
            PairingEntry(
                id: id,
                offerIssued: moment.wallClock,
                answerIssued: 0,
                transcript: [UInt8](repeating: 0, count: 32),
                role: .offerer,
                isLegacy: true,
                isConfirmed: true
            )
        )
        contact.ended = nil
        if let surplus = PairingOrder.surplus(contact.pairings, besides: id) {
            end(surplus, of: &contact, byPeer: false, reason: .none, at: moment)
        }
        put(contact)
        return Outcome(.done, contact: contact.peerID, pairing: id)
    }

    private func legacyContact(_ request: LegacyImport) throws(HSIPError) -> Contact {
        if let known = contacts[request.peerID] {
            guard known.trashedAt == nil else {
                throw .nameCollision(existing: known.peerID, new: request.peerID)
            }
            guard known.alias == request.alias else { throw .identityKnown(as: known.peerID) }
            return known
        }
        guard Alias.isValid(request.alias) else { throw .malformed }
        if let holder = holder(of: request.alias) {
            throw .nameCollision(existing: holder.peerID, new: request.peerID)
        }
        return Contact(peerID: request.peerID, identityKey: nil, sentName: "", alias: request.alias)
    }

    /// Exports an imported key for an older program.
    ///
    /// After the export, another program may also count messages under this key.
    mutating func exportLegacy(_ id: PeerID) throws(HSIPError) -> Outcome {
        let contact = try contact(id)
        guard let entry = PairingOrder.ranked(contact.pairings).first(where: \.isLegacy),
            var pairing = pairings[entry.id], let key = pairing.rotation?.current.keys.receive
        else { throw contact.pairings.isEmpty ? .noSession : .exportRefused }
        pairing.isCounterUnreliable = true
        put(pairing)
        return Outcome(
            .done,
            .exported(key),
            contact: id,
            pairing: entry.id,
            notices: [.counterUnreliable]
        )
    }
}
