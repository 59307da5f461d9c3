internal import HSIP
internal import VaultCrypto

extension Cast {
    /// The keys of the pairing that sends to somebody.
    func sending(_ peer: PeerID, _ book: Book) -> Rotation<HSIPScheme>? {
        book.contacts[peer].flatMap { PairingOrder.sending($0.pairings) }.flatMap {
            book.pairings[$0.id]?.rotation
        }
    }

    /// Whether an event makes a pairing of a fresh offer.
    func isFresh(_ event: Event, _ book: Book) -> Bool {
        switch event {
        case .take(.offer(let offer), _): return offer.header.isFresh
        case .take(.answer(let answer), _):
            guard case .mine(let offer, _, _) = book.offers[answer.offerRef]?.side else { return false }
            return offer.header.isFresh
        default: return false
        }
    }

    /// The reducer, or what a mistake makes of it.
    func reduce(
        _ event: Event,
        _ deed: Deed,
        _ book: inout Book,
        wallClock: UInt64,
        entropy: Entropy
    ) throws(HSIPError) -> Outcome {
        if case .takeFaulty(_, let fault) = deed, mistake == fault.mistake {
            return try reduceFaulty(event, fault, &book, wallClock: wallClock, entropy: entropy)
        }
        guard mistake == .mutesAll, case .take(.offer(let offer), _) = event, offer.header.isFresh,
            var contact = book.contacts[offer.peerID]
        else { return try book.reduce(event, wallClock: wallClock, entropy: entropy) }
        // The others are hidden from the reducer, so that it does not refuse, and come back muted.
        var others = contact.pairings
        contact.pairings = []
        book.load(contact)
        let outcome = try book.reduce(event, wallClock: wallClock, entropy: entropy)
        for index in others.indices { others[index].isMuted = true }
        if var changed = book.contacts[offer.peerID] {
            changed.pairings += others
            book.load(changed)
        }
        return outcome
    }

    /// A key that was refused because its time is over never seals again.
    func note(_ error: HSIPError, _ deed: Deed, _ before: Book, _ vault: inout Vault) {
        guard error == .sessionExpired || error == .lapsed, case .send(let other) = deed,
            let key = sending(identities[other].peerID, before)?.current.keys.send
        else { return }
        vault.overdue.insert(Hash.sha256(key))
    }

    /// Whether a refusal wrote more than it may: the clock, and the mark of a contact whose offer was answered twice.
    func refused(_ error: HSIPError, _ before: Disk, _ after: Disk) -> Bool {
        let keys = Set(before.contents.keys).union(after.contents.keys)
        return keys.contains { key in
            guard before.contents[key] != after.contents[key] else { return false }
            return switch (key, error) {
            case (.clock, _), (.contact, .offerAlreadyUsed): false
            default: true
            }
        }
    }

    /// Holds what was done against every promise about one vault, and gives what it put out.
    func judge(
        _ outcome: Outcome,
        _ deed: Deed,
        _ event: Event,
        by who: Int,
        _ before: Book,
        _ vault: inout Vault,
        _ items: [ActsItem]
    ) -> ActsItem? {
        var flaw = outcome.code.flatMap { shown($0, before) }
        switch outcome.product {
        case .reserved(let reserved): flaw = judge(reserved, before, &vault) ?? flaw
        case .opened(let opened):
            if case .read(let number) = deed, case .message(let envelope, _, _) = items[number] {
                if opened.sender != envelope.sender { flaw = .wrongSender }
                let isSure = !opened.isReread && !outcome.notices.contains(.mayHaveBeenReadBefore)
                if isSure, !vault.opened.insert(number).inserted { flaw = .openedTwice }
            }
        case .exported, nil: break
        }
        switch outcome.result {
        case .answered, .paired, .prepared, .rotated:
            if let contact = outcome.contact, vault.gone.contains(contact) { flaw = .revokedAnswered }
        case .identityEnded(let peer): vault.gone.insert(peer)
        default: break
        }
        if let after = try? vault.disk.book(of: identities[who], wallClock: vault.clock) {
            for pairing in after.pairings.values {
                if pairing.rotation == nil {
                    vault.ended.insert(pairing.id)
                } else if vault.ended.contains(pairing.id) {
                    flaw = .endedLives
                }
            }
            if after.contacts.values.contains(where: { $0.pairings.count > Contact.maximumPairings }) {
                flaw = .tooMany
            }
            flaw = judgeSuites(outcome, deed, event, before, after, &vault) ?? flaw
        }
        vault.flaw = vault.flaw ?? flaw
        return output(of: outcome)
    }

    /// The code that is shown, or the message that is sent.
    func output(of outcome: Outcome) -> ActsItem? {
        guard case .reserved(let reserved) = outcome.product else { return outcome.code.map { .code($0) } }
        guard let text = try? Secret(copying: Array("hello".utf8)), let sealed = try? reserved.seal(text)
        else {
            return nil
        }
        let promise: ActsItem.Promise =
            if outcome.notices.contains(where: { $0 == .unconfirmedLate || $0 == .readableAfterAccept }) {
                .none
            } else {
                outcome.notices.contains(.unconfirmed) ? .unconfirmed : .ordinary
            }
        return .message(sealed, promise, endsAt: reserved.endsAt)
    }

    /// What a backup brought back is not shown: it may have been taken long ago.
    func shown(_ code: ExchangeCode, _ before: Book) -> ActsFlaw? {
        guard case .accept(let accept) = code else { return nil }
        let prepared = before.pairings.values.compactMap { $0.rotation?.next }
        return prepared.contains { $0.accept == accept && $0.epoch.isRestored } ? .restoredShown : nil
    }

    private func judge(_ reserved: ReservedMessage, _ before: Book, _ vault: inout Vault) -> ActsFlaw? {
        let use = Vault.Use(key: Hash.sha256(reserved.key), number: reserved.sent)
        guard vault.uses.insert(use).inserted else { return .numberTwice }
        if reserved.sent > reserved.limit { return .overLimit }
        if max(before.clock.mark, vault.clock) > reserved.endsAt { return .afterItsEnd }
        if vault.overdue.contains(use.key) { return .overdueAgain }
        return before.clock.isSuspect(wallClock: vault.clock) ? .suspectClock : nil
    }

    /// A code that was just taken is taken again: nothing changes but the clock.
    func judgeTwice(_ event: Event, by who: Int, _ vault: inout Vault) {
        guard var book = try? vault.disk.book(of: identities[who], wallClock: vault.clock),
            let outcome = try? book.reduce(event, wallClock: vault.clock, entropy: .seeded([0]))
        else { return }
        var disk = vault.disk
        guard (try? disk.commit(book, isRefused: outcome.refusal != nil)) != nil else { return }
        if refused(.malformed, vault.disk, disk) { vault.flaw = vault.flaw ?? .takenTwice }
    }
}
