internal import VaultCrypto

extension Book {
    /// Opens a message with the key that shows who wrote it; the header only decides which keys are tried (section 7).
    ///
    /// At most 16 keys are tried, all of one contact. So a text made to open under many keys is useless to an attacker.
    mutating func read(
        _ envelope: MessageEnvelope,
        _ request: ReadRequest,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        let header = envelope.sender
        let isOwn = header == identity.peerID
        if isOwn, request.from.flatMap({ contacts[$0] }).map(hasLegacyKey) != true {
            return Outcome(.done, notices: [.ownMessage])
        }
        let owner = if let id = request.from { try contact(id) } else { try sender(header) }
        var found: Candidate?
        for candidate in candidates(of: owner) {
            if let plaintext = try open(envelope, candidate, request.purpose) {
                found = candidate
                found?.plaintext = plaintext
                break
            }
        }
        guard let found, let plaintext = found.plaintext else { throw .cannotOpen }
        if found.pairing.profile == .dual, header != owner.peerID { throw .senderMismatch }
        return try accept(plaintext, envelope.nonce, found, request, at: moment)
    }

    private struct Candidate {
        var pairing: Pairing
        var slot: Rotation<HSIPScheme>.Slot
        var epoch: Epoch<HSIPScheme>
        var plaintext: Secret?
    }

    private func hasLegacyKey(_ contact: Contact) -> Bool { contact.pairings.contains(where: \.isLegacy) }

    private func sender(_ header: PeerID) throws(HSIPError) -> Contact {
        guard let contact = contacts[header], contact.trashedAt == nil else { throw .unknownSender }
        return contact
    }

    private func candidates(of contact: Contact) -> [Candidate] {
        PairingOrder.ranked(contact.pairings).flatMap { entry -> [Candidate] in
            guard let pairing = pairings[entry.id], let rotation = pairing.rotation else { return [] }
            return rotation.receiving.map { Candidate(pairing: pairing, slot: $0.slot, epoch: $0.epoch) }
        }
    }

    private func open(
        _ envelope: MessageEnvelope,
        _ candidate: Candidate,
        _ purpose: MessagePurpose
    ) throws(HSIPError) -> Secret? {
        guard let key = candidate.epoch.keys.receive else { return nil }
        do {
            return Secret(try MessageCipher.open(envelope, key: key, purpose: purpose))
        } catch .cannotOpen {
            return nil
        }
    }

    private mutating func accept(
        _ plaintext: Secret,
        _ nonce: [UInt8],
        _ found: Candidate,
        _ request: ReadRequest,
        at moment: Moment
    ) throws(HSIPError) -> Outcome {
        var pairing = found.pairing
        guard var rotation = pairing.rotation else { throw .cannotOpen }
        if pairing.profile == .single {
            let own = SeenNonces.Key(epoch: found.epoch.name, nonce: nonce, isOwn: true)
            if seen[own]?.contains(nonce) == true { throw .reflected }
        }
        let key = SeenNonces.Key(epoch: found.epoch.name, nonce: nonce)
        var row = seen[key] ?? SeenNonces()
        let isNew = row.insert(nonce)
        guard isNew || request.isReread else { throw .replayed }
        var notices: [Notice] = found.epoch.isRestored && isNew ? [.mayHaveBeenReadBefore] : []
        if isNew {
            guard found.epoch.received < pairing.maximumReceived(in: found.epoch) else {
                throw .peerOverLimit
            }
            let dropped = rotation.opened(under: found.slot, at: moment)
            pairing.state = .live(rotation)
            putConfirmed(pairing)
            put(row, at: key)
            for epoch in dropped { forgetNonces(of: epoch.name) }
        }
        if request.purpose == .text { notices += carried(by: plaintext) }
        let opened = OpenedMessage(
            plaintext: plaintext,
            sender: pairing.contact,
            pairing: pairing.id,
            epoch: found.epoch.number,
            isReread: !isNew
        )
        return Outcome(
            .done,
            .opened(opened),
            contact: pairing.contact,
            pairing: pairing.id,
            notices: notices
        )
    }

    /// Reports codes inside a message; only `accept` accepts them.
    private func carried(by plaintext: Secret) -> [Notice] {
        var text = plaintext.withBytes { $0.copied() }
        defer { text.wipe() }
        let codes = (try? CodeText.codes(in: text)) ?? []
        return codes.first.map { [.carries($0.kind)] } ?? []
    }
}

extension Book {
    /// Opens a message and accepts the one code in it; if either is refused, the message stays unread.
    ///
    /// A message that was read before is opened again, because its code may not have been accepted yet. The header
    /// names the writer, because a code may be forwarded; the named contact counts only if the header names nobody
    /// known.
    mutating func takeInside(
        _ envelope: MessageEnvelope,
        _ request: CodeOptions,
        at moment: Moment,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        let unread = self
        let writer = contacts[envelope.sender] == nil ? request.contact : nil
        let read = try read(envelope, ReadRequest(from: writer, isReread: true), at: moment)
        guard case .opened(let opened) = read.product else { throw .noCode }
        var text = opened.plaintext.withBytes { $0.copied() }
        defer { text.wipe() }
        let code = try meant(by: request, in: text)
        // A message may contain another person's code; the code itself names its owner. A code from a message was not
        // read from the person's own screen, even if the user says so.
        var asked = request
        asked.isInPerson = false
        var outcome = try take(code, asked, at: moment, entropy: entropy)
        if outcome.refusal != nil {
            // Only the mark of this refusal is kept: the message stays unread.
            self = unread
            return try take(code, asked, at: moment, entropy: entropy)
        }
        outcome.notices += read.notices.filter { if case .carries = $0 { false } else { true } }
        return outcome
    }

    /// The chosen code, which must be in the text; if none was chosen, the only code in the text.
    private func meant(by request: CodeOptions, in text: [UInt8]) throws(HSIPError) -> ExchangeCode {
        guard let chosen = request.chosen else { return try CodeText.single(in: text) { isOwn($0) } }
        guard try CodeText.candidates(in: text, isOwn: { isOwn($0) }).contains(chosen) else { throw .noCode }
        return chosen
    }
}
