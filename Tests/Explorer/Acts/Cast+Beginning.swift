internal import HSIP
internal import VaultCrypto

extension Cast {
    /// The vaults as a scenario begins.
    func beginning() throws(HSIPError) -> [Vault] {
        var vaults = identities.indices.map { _ in Vault(clock: Self.start) }
        if scenario.hasOlder { try makeOlder(&vaults) }
        if scenario.third == .device {
            vaults[2] = vaults[0]
            vaults[2].disk.restore(vaults[0].disk)
            vaults[2].wasRestored = true
        }
        for who in vaults.indices {
            vaults[who].clock = Self.start + (who == 1 ? scenario.skew : 0)
            vaults[who].isOld = scenario.olds.contains(who)
        }
        switch scenario.loss {
        case .none: break
        case .restored:
            vaults[0].disk.restore(vaults[0].disk)
            vaults[0].wasRestored = true
        case .lost:
            try loseSessions(0, &vaults[0])
            vaults[0].wasRestored = true
        case .both:
            for who in 0..<2 { try loseSessions(who, &vaults[who]) }
        }
        return vaults
    }

    /// Alice offers, Bob answers, and each reads one message of the other.
    private func makeOlder(_ vaults: inout [Vault]) throws(HSIPError) {
        let time = scenario.isOlderAhead ? Self.start + 100 : Self.start - 86_400
        for who in vaults.indices { vaults[who].clock = time }
        let request = CodeOptions(reply: OfferRequest(limit: scenario.olderLimit))
        let made = OfferRequest(limit: scenario.olderLimit, suite: scenario.olderSuite)
        let offer = try code(.offer(made), by: 0, &vaults)
        let answer = try code(.take(offer, request), by: 1, &vaults)
        _ = try done(.take(answer, request), by: 0, &vaults)
        for (sender, reader) in [(0, 1), (1, 0)] {
            let text: Secret
            do { text = try Secret(copying: Array("hello".utf8)) } catch { throw HSIPError(error) }
            let sent = try done(.send(identities[reader].peerID, plaintext: text), by: sender, &vaults)
            guard case .reserved(let reserved) = sent.product else { throw .noSession }
            vaults[sender].uses.insert(Vault.Use(key: Hash.sha256(reserved.key), number: reserved.sent))
            _ = try done(.read(try reserved.seal(text), ReadRequest()), by: reader, &vaults)
        }
        guard scenario.olderSuite == .two else { return }
        for (who, other) in [(0, 1), (1, 0)] { vaults[who].raised = [identities[other].peerID] }
    }

    private func code(_ event: Event, by who: Int, _ vaults: inout [Vault]) throws(HSIPError) -> ExchangeCode
    {
        guard let code = try done(event, by: who, &vaults).code else { throw .noCode }
        return code
    }

    private func done(_ event: Event, by who: Int, _ vaults: inout [Vault]) throws(HSIPError) -> Outcome {
        var book = try vaults[who].disk.book(of: identities[who], wallClock: vaults[who].clock)
        let seed = [
            scenario.seed, UInt8(who), UInt8(vaults[who].disk.contents.count), UInt8(vaults[who].uses.count),
        ]
        let outcome = try book.reduce(event, wallClock: vaults[who].clock, entropy: .seeded(seed))
        try vaults[who].disk.commit(book, isRefused: outcome.refusal != nil)
        return outcome
    }

    /// A backup from before the pairing: who the other is, and nothing more.
    private func loseSessions(_ who: Int, _ vault: inout Vault) throws(HSIPError) {
        let book = try vault.disk.book(of: identities[who], wallClock: vault.clock)
        for key in vault.disk.contents.keys {
            if case .contact(let peer) = key, var contact = book.contacts[peer] {
                contact.pairings = []
                try vault.disk.put(contact)
            } else {
                vault.disk.lose(key)
            }
        }
    }
}
