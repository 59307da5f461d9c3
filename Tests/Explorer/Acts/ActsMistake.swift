internal import HSIP

/// Mistakes that a walk over the acts must find, put around the reducer from outside.
package enum ActsMistake: String, CaseIterable, Sendable {
    /// Anyone who sees the pairing of a fresh offer confirmed ends the others.
    case wipesAtConfirmation = "wipes-at-confirmation"
    /// Anyone who sees it confirmed sends under the others no more.
    case receiveOnlyAtConfirmation = "receive-only-at-confirmation"
    /// The answerer mutes all others, also those that rank higher, instead of refusing.
    case mutesAll = "mutes-all"
    /// A backup is put back and nothing says so.
    case forgetsRestore = "forgets-restore"
    /// What was read is not written down.
    case forgetsSeen = "forgets-seen"
    /// The notice that ends an identity is not kept.
    case forgetsNotice = "forgets-notice"
    /// The mark of the clock is not kept.
    case forgetsMark = "forgets-mark"
    /// The ACCEPT of a backup is shown as long as it is in time.
    case showsRestoredAccept = "shows-restored-accept"

    /// Nobody is pinned to suite 02.
    case noPin = "no-pin"
    /// A restore takes over everything that only grows but the pin.
    case pinNotCarried = "pin-not-carried"
    /// The confirmation in an ANSWER is not compared.
    case confirmNotCompared = "confirm-not-compared"
    /// An ANSWER may have another suite than its OFFER.
    case otherSuiteTaken = "other-suite-taken"
    /// A code that was read from the other's own screen counts as a comparison.
    case inPersonCompares = "in-person-compares"

    /// The promise that it breaks, or nil for two who go round and round.
    package var flaw: ActsFlaw? {
        switch self {
        case .wipesAtConfirmation, .confirmNotCompared: .unreadable
        case .receiveOnlyAtConfirmation, .mutesAll: nil
        case .forgetsRestore: .numberTwice
        case .forgetsSeen: .openedTwice
        case .forgetsNotice: .revokedAnswered
        case .forgetsMark: .overdueAgain
        case .showsRestoredAccept: .restoredShown
        case .noPin, .pinNotCarried: .lowered
        case .otherSuiteTaken: .otherSuite
        case .inPersonCompares: .notCompared
        }
    }

    /// The scenario in which it shows.
    package var scenario: ActsScenario {
        switch self {
        case .wipesAtConfirmation: .again(.both)
        case .receiveOnlyAtConfirmation: .crossing(alice: [.take: 2], bob: [.take: 1, .send: 1], seed: 1)
        case .mutesAll: .crossing(alice: [.take: 2, .send: 1], bob: [.take: 1], skew: 400, limit: 8)
        case .forgetsRestore: .only("restore", [.send: 2, .restore: 2])
        case .forgetsSeen: .only("messages", [.send: 1], olderLimit: 4)
        case .forgetsNotice: .only("ends", [.offer: 1, .end: 1], bob: [.take: 2])
        case .forgetsMark: .only("clocks", [.send: 2, .clock: 2], clocks: [0, 8 * 86_400])
        case .showsRestoredAccept:
            .only("restore", [.next: 1, .take: 1, .restore: 2], bob: [.next: 1, .take: 1])
        case .noPin: .strangers([.offer: 1, .take: 2], bob: [.offer: 1, .take: 1], options: [.one])
        case .pinNotCarried: .onlyCarried
        case .confirmNotCompared:
            .strangers([.offer: 1, .send: 1, .take: 1], bob: [.take: 1], faults: [.otherCiphertext])
        case .otherSuiteTaken: .strangers([.offer: 1, .take: 1], bob: [.take: 1], faults: [.otherSuite])
        case .inPersonCompares: .strangers([.offer: 1], bob: [.take: 1], options: [.inPerson])
        }
    }
}

extension Book {
    /// Changes every contact, without a reason to write it.
    mutating func changeContacts(_ change: (inout Contact) -> Void) {
        for var contact in contacts.values {
            change(&contact)
            load(contact)
        }
    }
}

extension ActsMistake {
    /// What the mistake makes of a book before it is committed.
    func alter(_ book: inout Book, before: Book, _ deed: Deed, _ outcome: Outcome, _ vault: inout Vault) {
        switch self {
        case .wipesAtConfirmation, .receiveOnlyAtConfirmation: confirm(&book, before: before, vault)
        case .noPin: book.changeContacts { $0.suiteRule = .any }
        case .inPersonCompares:
            guard case .takeInPerson = deed, let peer = outcome.contact else { return }
            book.changeContacts { if $0.peerID == peer { ($0.trust, $0.isRepaired) = (.verified, false) } }
        default: break
        }
    }

    private func confirm(_ book: inout Book, before: Book, _ vault: Vault) {
        for contact in book.contacts.values {
            let old = before.contacts[contact.peerID]?.pairings ?? []
            for entry in contact.pairings where entry.isConfirmed && vault.fresh.contains(entry.id) {
                guard old.first(where: { $0.id == entry.id })?.isConfirmed != true else { continue }
                var changed = contact
                if self == .wipesAtConfirmation {
                    changed.pairings = [entry]
                } else {
                    for index in changed.pairings.indices where changed.pairings[index].id != entry.id {
                        changed.pairings[index].isMuted = true
                    }
                }
                book.load(changed)
            }
        }
    }

    /// What the mistake does not write down.
    func forget(_ touched: Set<Book.Key>, _ disk: inout Disk) {
        for key in touched {
            switch (self, key) {
            case (.forgetsSeen, .seen), (.forgetsNotice, .revoked), (.forgetsMark, .clock): disk.lose(key)
            default: break
            }
        }
    }
}
