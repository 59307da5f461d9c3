internal import HSIP
internal import VaultCrypto

/// Two people who do what their programs say, and nothing else.
///
/// Who can write writes, and what is written arrives. Who is not heard runs `pair` and gives the other the code that it
/// shows; who is given a code takes it and gives back what comes of it. If a code is refused for its suite, the one who
/// made it says with `contact set --suite` what the other's program knows, and shows the next one; if a code is refused
/// otherwise, the advice is `pair --offer`. From every state this must lead to two who hear each other and send under one pairing. That there is
/// a way is not enough: people go the one that they are shown.
struct Guide {
    private let table: VaultTable
    /// Who the two are.
    private let people: [Int]
    private var vaults: [UInt32]
    /// The last code that was refused, and by whom.
    private var refused: (code: Int, taker: Int)?

    /// More rounds than this nobody goes.
    static let rounds = 6
    /// Counts that no walk comes to, so that nothing here draws the same randomness again.
    private static let used: UInt8 = 128

    /// Two vaults as they are, without what they remember for the promises; both clocks are right again.
    init(_ table: VaultTable, _ people: [Int], _ states: [UInt32]) {
        self.table = table
        self.people = people
        let vaults = zip(people, states).map { table.vaults[$0][Int($1)] }
        let times = zip(people, vaults).map { who, vault in
            let book = try? vault.disk.book(of: table.cast.identities[who], wallClock: vault.clock)
            return max(vault.clock, book?.clock.mark ?? 0)
        }
        self.vaults = zip(people, vaults).map { who, vault in
            var bare = Vault(clock: times.max() ?? vault.clock)
            (bare.disk, bare.fresh, bare.isOld) = (vault.disk, vault.fresh, vault.isOld)
            bare.used = bare.used.map { _ in Self.used }
            return table.number(of: bare, who)
        }
    }

    /// What the two start from; equal starts lead to equal ends.
    var start: [UInt32] { vaults }

    /// Whether the two come to hear each other, and to send under one pairing.
    mutating func leadsOut() -> Bool {
        for round in 0..<Self.rounds {
            let heard = [says(0), says(1)]
            if heard == [true, true] {
                if sending(0) != nil, sending(0) == sending(1) { return true }
            } else {
                show(heard[0] == heard[1] ? round % 2 : heard[0] ? 1 : 0)
            }
            for side in 0..<2 { wait(side) }
        }
        return false
    }

    private func vault(_ side: Int) -> Vault { table.vaults[people[side]][Int(vaults[side])] }

    private func book(_ side: Int) -> Book? {
        let vault = vault(side)
        return try? vault.disk.book(of: table.cast.identities[people[side]], wallClock: vault.clock)
    }

    private func sending(_ side: Int) -> PairingID? {
        table.sending(people[side], vaults[side], to: people[1 - side])
    }

    private mutating func wait(_ side: Int) {
        var later = vault(side)
        later.clock += 400
        vaults[side] = table.number(of: later, people[side])
    }

    /// Does a deed; what comes of it, or nil.
    private mutating func does(_ deed: Deed, _ side: Int) -> VaultTable.Step? {
        guard let step = table.step(deed, by: people[side], vaults[side], isBounded: false) else {
            return nil
        }
        vaults[side] = step.vault
        return step
    }

    /// Whether a message of one side is read by the other.
    private mutating func says(_ side: Int) -> Bool {
        guard let sent = does(.send(to: people[1 - side]), side)?.output else { return false }
        return does(.read(sent), 1 - side) != nil
    }

    /// What `pair` shows, and where that is refused a new OFFER.
    private mutating func show(_ leader: Int) {
        let other = people[1 - leader]
        if exchange(.next(to: other), by: leader) { return }
        if agreesOnSuite(), exchange(.next(to: other), by: leader) { return }
        let isKnown = book(leader)?.contacts[table.cast.identities[other].peerID] != nil
        let isForOld = vault(1 - leader).isOld && !vault(leader).isOld && !isKnown
        let offer = Deed.offer(to: isKnown ? other : nil)
        _ = exchange(isForOld ? .offerAs(.one, to: nil) : offer, by: leader)
    }

    /// What the two say when a code was refused for its suite; false if it was not, or nothing is left to say.
    private mutating func agreesOnSuite() -> Bool {
        guard let (code, taker) = refused else { return false }
        let deed: Deed? =
            switch refusal(of: code, taker) {
            case .unsupportedSuite: .set(.one, of: people[taker])
            case .suiteDowngrade: .set(.two, of: people[taker])
            default: nil
            }
        let before = vaults
        if let deed { _ = does(deed, 1 - taker) }
        return vaults != before
    }

    /// Shows a code and hands codes to and fro; false if one is refused.
    private mutating func exchange(_ deed: Deed, by leader: Int) -> Bool {
        refused = nil
        guard var code = does(deed, leader)?.output else { return false }
        var taker = 1 - leader
        for _ in 0..<6 {
            // A refusal may change something too: the mark of the clock.
            guard let next = does(.take(code), taker)?.output else {
                if refusal(of: code, taker) != nil { refused = (code, taker) }
                return refused == nil
            }
            guard next != code else { return true }
            code = next
            taker = 1 - taker
        }
        return true
    }

    /// Why a code of which nothing comes is refused; nil if it was taken before.
    private func refusal(of item: Int, _ side: Int) -> HSIPError? {
        let deed = Deed.take(item)
        guard case .code(let code) = table.items[item], var book = book(side) else { return .noCode }
        if vault(side).isOld, !deed.isKnownToOld(table.items) { return .unsupportedSuite }
        let event = Event.take(code, CodeOptions(reply: OfferRequest(limit: Cast.freeLimit)))
        do throws(HSIPError) {
            return try book.reduce(event, wallClock: vault(side).clock, entropy: .seeded([1])).refusal
        } catch {
            return error
        }
    }
}
