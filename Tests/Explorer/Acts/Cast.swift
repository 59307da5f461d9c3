internal import HSIP
internal import VaultCrypto

/// The vaults of a scenario, and how each of them acts: the product's reducer, called as the product calls it,
/// with at most one mistake around it.
struct Cast: Sendable {
    let scenario: ActsScenario
    let mistake: ActsMistake?
    /// Of each vault; a second device has Alice's.
    let identities: [Identity]

    /// When everything begins, Unix seconds.
    static let start: UInt64 = 1_800_000_000
    /// Messages that each side may seal under what is made outside the bounds.
    static let freeLimit: UInt16 = 8

    init(_ scenario: ActsScenario, mistake: ActsMistake?) throws(HSIPError) {
        self.scenario = scenario
        self.mistake = mistake
        var identities: [Identity] = []
        for name in ["Alice", "Bob"] + (scenario.third == .carol ? ["Carol"] : []) {
            identities.append(
                try Identity.make(
                    name: name,
                    entropy: .seeded(Array(name.utf8) + [scenario.seed]),
                    wallClock: Self.start
                )
            )
        }
        if scenario.third == .device { identities.append(identities[0]) }
        self.identities = identities
    }

    /// The people whom a vault may deal with, by the number of their vault.
    func others(of who: Int) -> [Int] {
        identities.indices.filter {
            identities[$0].peerID != identities[who].peerID && !(scenario.third == .device && $0 == 2)
        }
    }

    /// What a vault may do by itself.
    func deeds(of who: Int) -> [Deed] {
        var deeds: [Deed] = [.show, .renounce, .backup, .restore]
        for other in others(of: who) {
            deeds += [
                .offer(to: scenario.isBound ? other : nil), .next(to: other), .send(to: other),
                .revoke(to: other), .set(.one, of: other), .set(.two, of: other), .compare(with: other),
            ]
            for option in scenario.options {
                deeds += [
                    .offerAs(option, to: scenario.isBound ? other : nil), .nextAs(option, to: other),
                ]
            }
        }
        if scenario.olds.contains(who) { deeds.append(.update) }
        return deeds + scenario.clocks.map { .clock($0) }
    }

    /// Does one deed; nil if nothing comes of it.
    ///
    /// Where `isBounded` is true, the bounds of the scenario hold.
    func perform(
        _ deed: Deed,
        by who: Int,
        _ vault: Vault,
        _ items: [ActsItem],
        isBounded: Bool = true
    ) -> (vault: Vault, output: ActsItem?)? {
        let isUsedUp = deed.cost.map { vault.used[$0.place] >= scenario.bounds[who][$0] ?? 0 } ?? false
        // What only shows again what is there costs nothing, and neither does a code that changes nothing.
        if isBounded, isUsedUp, deed.cost != .next, deed.cost != .take { return nil }
        var next = vault
        let output: ActsItem?
        switch deed {
        case .backup:
            guard vault.backup == nil else { return nil }
            (next.backup, next.endedAtBackup, next.goneAtBackup) = (vault.disk, vault.ended, vault.gone)
            (next.raisedAtBackup, next.comparedAtBackup) = (vault.raised, vault.compared)
            output = nil
        case .restore:
            guard let backup = vault.backup else { return nil }
            restore(backup, &next, by: who)
            output = nil
        case .update:
            guard vault.isOld else { return nil }
            next.isOld = false
            output = nil
        case .clock(let seconds):
            let skew = who == 1 ? scenario.skew : 0
            next.clock = Self.start + seconds + skew
            guard next.clock != vault.clock else { return nil }
            output = nil
        case .show:
            let book = try? vault.disk.book(of: identities[who], wallClock: vault.clock)
            let open = book?.offers.values.compactMap { offer -> OfferCode? in
                if case .mine(let code, _, .open) = offer.side { code } else { nil }
            }
            guard let oldest = open?.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) else {
                return nil
            }
            output = .code(.offer(oldest))
        case .renounce: output = .code(.revoke(identities[who].revocation))
        case .offer, .offerAs, .next, .nextAs, .send, .take, .takeInPerson, .takeFaulty, .read, .revoke, .set,
            .compare:
            let limit = isBounded ? scenario.limit : Self.freeLimit
            guard let event = event(for: deed, by: who, vault, items, limit: limit) else { return nil }
            output = act(event, deed, by: who, &next, items, isJudged: isBounded)
            guard next != vault || output != nil else { return nil }
            if isBounded, isUsedUp, next != vault { return nil }
        }
        if let cost = deed.cost, next != vault || deed == .renounce { next.used[cost.place] &+= 1 }
        return (next, output)
    }

    /// The reducer between reading the records and committing them.
    private func act(
        _ event: Event,
        _ deed: Deed,
        by who: Int,
        _ vault: inout Vault,
        _ items: [ActsItem],
        isJudged: Bool
    ) -> ActsItem? {
        guard var before = try? vault.disk.book(of: identities[who], wallClock: vault.clock) else {
            return nil
        }
        // A program that is older than suite 02 does what one of today does for contacts whose program is old.
        if vault.isOld { before.changeContacts { $0.suiteRule = .onlyOne } }
        var event = event
        if case .offer(var request) = event, let contact = request.contact, before.contacts[contact] == nil {
            // Nobody can be named who is not known yet.
            request.contact = nil
            event = .offer(request)
        }
        if mistake == .showsRestoredAccept, case .next(let other) = deed,
            let next = sending(identities[other].peerID, before)?.next, next.epoch.isRestored
        {
            vault.flaw = vault.flaw ?? shown(.accept(next.accept), before)
            return .code(.accept(next.accept))
        }
        var book = before
        let outcome: Outcome
        do {
            outcome = try reduce(
                event,
                deed,
                &book,
                wallClock: vault.clock,
                entropy: .seeded(seed(deed, by: who, vault))
            )
        } catch {
            note(error, deed, before, &vault)
            return nil
        }
        if let mistake {
            if isFresh(event, before), let id = outcome.pairing { vault.fresh.insert(id) }
            mistake.alter(&book, before: before, deed, outcome, &vault)
        }
        if vault.isOld { book.changeContacts { $0.suiteRule = .any } }
        let disk = vault.disk
        do {
            try vault.disk.commit(book, isRefused: outcome.refusal != nil)
        } catch {
            return nil
        }
        if let mistake { mistake.forget(book.touched, &vault.disk) }
        if let refusal = outcome.refusal {
            note(refusal, deed, before, &vault)
            if refused(refusal, disk, vault.disk) { vault.flaw = vault.flaw ?? .refusedChanged }
            return nil
        }
        guard isJudged else { return output(of: outcome) }
        let output = judge(outcome, deed, event, by: who, before, &vault, items)
        if deed.cost == .take, mistake == nil { judgeTwice(event, by: who, &vault) }
        return output
    }

    /// The randomness of a deed: drawn anew for each that is done, and the same in whatever order others are done.
    ///
    /// The same code taken again draws anew only after a restore: otherwise nothing comes of it.
    private func seed(_ deed: Deed, by who: Int, _ vault: Vault) -> [UInt8] {
        let isCounted = deed.cost.map { $0 != .take } ?? false
        let count = isCounted ? deed.cost.map { vault.used[$0.place] } ?? 0 : 0
        let restores = vault.used[Cost.restore.place]
        return [scenario.seed, UInt8(who), restores, count] + Array("\(deed)".utf8)
    }
}
