internal import HSIP

extension SuiteOption {
    /// The request that the option makes.
    func apply(to request: inout OfferRequest) {
        switch self {
        case .one: request.suite = .one
        case .inPerson: request.isInPerson = true
        }
    }
}

extension Deed {
    /// Its option about the suite.
    var option: SuiteOption? {
        switch self {
        case .offerAs(let option, _), .nextAs(let option, _): option
        default: nil
        }
    }

    /// Whether a program older than suite 02 can do it: it refuses codes of suite 02, and has no word for suites.
    func isKnownToOld(_ items: [ActsItem]) -> Bool {
        switch self {
        case .offerAs, .nextAs, .set, .takeFaulty: false
        case .take(let number), .takeInPerson(let number):
            if case .code(let code) = items[number] { code.header?.suite != .two } else { false }
        default: true
        }
    }
}

extension Cast {
    /// Puts a backup back: its file, or as `vault restore` does, which takes over what only grows.
    func restore(_ backup: Disk, _ vault: inout Vault, by who: Int) {
        let identity = identities[who]
        (vault.backup, vault.wasRestored) = (nil, true)
        guard scenario.isCarried, let newer = try? vault.disk.book(of: identity, wallClock: vault.clock),
            var book = try? backup.book(of: identity, wallClock: vault.clock)
        else {
            vault.disk.restore(backup, marks: mistake != .forgetsRestore)
            (vault.ended, vault.gone) = (vault.endedAtBackup, vault.goneAtBackup)
            (vault.raised, vault.compared) = (vault.raisedAtBackup, [])
            vault.overdue = []
            return
        }
        let rules = book.contacts.mapValues(\.suiteRule)
        book.clean()
        _ = book.carry(
            from: newer,
            successors: [:],
            isWhole: true,
            at: newer.clock.moment(wallClock: vault.clock)
        )
        if mistake == .pinNotCarried { book.changeContacts { $0.suiteRule = rules[$0.peerID] ?? .any } }
        do {
            try vault.disk.restore(backup, carrying: book)
        } catch {
            return
        }
        // Who is not in the backup is a stranger again; who was compared in both vaults stays compared.
        vault.raised.formIntersection(book.contacts.keys)
        vault.compared.formIntersection(vault.comparedAtBackup)
    }

    /// Holds suites and comparisons after an act against what was known before it.
    func judgeSuites(
        _ outcome: Outcome,
        _ deed: Deed,
        _ event: Event,
        _ before: Book,
        _ after: Book,
        _ vault: inout Vault
    ) -> ActsFlaw? {
        var flaw: ActsFlaw?
        if case .set(.one, let other) = deed { vault.raised.remove(identities[other].peerID) }
        for contact in after.contacts.values {
            for entry in contact.pairings {
                guard let now = after.pairings[entry.id]?.rotation?.current else { continue }
                let earlier = before.pairings[entry.id]?.rotation?.current
                let isLed = earlier == nil && vault.raised.contains(contact.peerID)
                if now.suite == .one, isLed || earlier?.suite == .two { flaw = .lowered }
                let old = before.contacts[contact.peerID]?.pairings.first { $0.id == entry.id }
                let isNew = old?.isConfirmed != true || earlier?.number != now.number
                if entry.isConfirmed, isNew, now.suite == .two { vault.raised.insert(contact.peerID) }
            }
        }
        if case .take(.answer(let answer), _) = event, case .paired = outcome.result,
            let made = outcome.pairing.flatMap({ after.pairings[$0] }),
            before.offers[answer.offerRef]?.suite != made.rotation?.current.suite
        {
            flaw = .otherSuite
        }
        if let contact = outcome.contact {
            switch outcome.result {
            case .answered, .paired: vault.compared.remove(contact)
            case .verifyMatched: vault.compared.insert(contact)
            default: break
            }
        }
        let isBelieved = after.contacts.values.contains {
            $0.isVerified && !vault.compared.contains($0.peerID)
        }
        return isBelieved ? .notCompared : flaw
    }
}
