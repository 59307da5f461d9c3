internal import VaultCrypto

extension Book {
    /// The content of a message.
    enum Load {
        case text(Secret)
        /// The key of a file or a parcel; it is made with the number, on which it depends.
        case fileKey(digest: [UInt8], ContainerPurpose)
    }

    /// Reserves a number: count + 1 is durable before a message is sealed with the number.
    ///
    /// A crash wastes a number, but never repeats one. The commit that reserves the last number also makes the ROTATE.
    mutating func send(
        _ load: Load,
        to id: PeerID,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let contact = try contact(id)
        if contact.trust == .revoked { throw .revoked }
        guard let entry = PairingOrder.sending(contact.pairings), var pairing = pairings[entry.id],
            var rotation = pairing.rotation
        else { throw contact.ended == nil ? .noSession : .revoked }
        try requireSoundClock(at: moment)
        if case .text(let text) = load { try MessageCipher.check(text) }
        let slot: Rotation<HSIPScheme>.Slot
        do {
            slot = try rotation.reserve(at: moment)
        } catch .rekeyRequired {
            throw .rekeyRequired(code: showable(for: contact, at: moment)?.text)
        } catch .restored {
            throw .restored(code: showable(for: contact, at: moment)?.text)
        }
        guard let epoch = rotation.epoch(in: slot), let key = epoch.keys.send,
            let nonceKey = epoch.keys.sendNonce
        else { throw .noSession }
        var notices = notices(for: contact, entry, slot: slot, at: moment)
        if pairing.isCounterUnreliable { notices.append(.counterUnreliable) }
        let (plaintext, purpose): (Secret, MessagePurpose) =
            switch load {
            case .text(let text): (text, .text)
            case .fileKey(let digest, let container):
                (
                    try FileKey.make(
                        nonceKey: nonceKey,
                        counter: UInt32(epoch.sent),
                        digest: digest,
                        entropy: entropy
                    ), container.keyPurpose
                )
            }
        let nonce = try drawNonce(pairing, epoch, nonceKey, plaintext, entropy)
        if epoch.isExhausted {
            // If no attempt is left, the message is still sent; then only a new pairing can continue. No ROTATE starts
            // while an offer bound to the contact is valid. The ROTATE would close the offer, whose answer may be under
            // way with messages that no other key opens.
            let mayStart =
                entry.isConfirmed && !entry.isLegacy && rotation.next == nil && rotation.seenAttempt < .max
                && boundOffer(to: id, at: moment) == nil
            if mayStart, rotation.out.map({ moment.effective > $0.rotate.terms.codeEnd }) ?? true {
                _ = try rotation.start(
                    suite: rotateSuite(for: id),
                    terms: Terms(
                        issued: moment.wallClock,
                        ttlMinutes: Terms.rotationTTLMinutes,
                        lifeHours: Terms.standardLifeHours,
                        limit: Terms.highestLimit
                    ),
                    party: try party(of: pairing, entropy: entropy)
                )
                closeOffers(boundTo: id)
            }
        }
        pairing.state = .live(rotation)
        put(pairing)
        notices += limits(epoch, contact, at: moment)
        let reserved = ReservedMessage(
            key: key,
            sender: identity.peerID,
            nonce: nonce,
            sent: epoch.sent,
            limit: epoch.limit,
            endsAt: epoch.end,
            digest: Hash.sha256(plaintext),
            purpose: purpose,
            fileKey: purpose == .text ? nil : plaintext
        )
        return Outcome(.done, .reserved(reserved), contact: id, pairing: pairing.id, notices: notices)
    }

    private func notices(
        for contact: Contact,
        _ entry: PairingEntry,
        slot: Rotation<HSIPScheme>.Slot,
        at moment: Moment
    ) -> [Notice] {
        var notices: [Notice] = []
        if !entry.isConfirmed {
            let inTime = offers.values.contains { offer in
                guard case .theirs(let answer, entry.id, _, let offerEnd) = offer.side else { return false }
                return moment.effective <= Offer.importEnd(answer: answer.terms, offerEnd: offerEnd)
            }
            notices.append(inTime ? .unconfirmed : .unconfirmedLate)
        }
        if slot == .next { notices.append(.readableAfterAccept) }
        return notices
    }

    private func limits(_ epoch: Epoch<HSIPScheme>, _ contact: Contact, at moment: Moment) -> [Notice] {
        if epoch.isExhausted { return [.limitReached(code: showable(for: contact, at: moment)?.text)] }
        return epoch.warnsSoon(at: moment)
            ? [.rekeySoon(remaining: epoch.limit - epoch.sent, endsAt: epoch.end)] : []
    }

    /// The nonce of this number and plaintext.
    ///
    /// With a single key, the nonce is added to the own-nonce set at once, so that a message sent back to me is
    /// recognized as a reflection.
    private mutating func drawNonce(
        _ pairing: Pairing,
        _ epoch: Epoch<HSIPScheme>,
        _ nonceKey: Secret,
        _ plaintext: Secret,
        _ entropy: Entropy
    ) throws(HSIPError) -> [UInt8] {
        let nonce = HedgedNonce.make(
            nonceKey: nonceKey,
            random: entropy.bytes(16),
            counter: UInt32(epoch.sent),
            plaintext: plaintext
        )
        guard pairing.profile == .single else { return nonce }
        let key = SeenNonces.Key(epoch: epoch.name, nonce: nonce, isOwn: true)
        var row = seen[key] ?? SeenNonces()
        _ = row.insert(nonce)
        put(row, at: key)
        return nonce
    }
}
