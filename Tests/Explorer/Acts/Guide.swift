internal import HSIP
internal import VaultCrypto

/// Two people who do what their programs say, and nothing else.
///
/// Who cannot write runs `pair` and gives the other the code that it shows; who is given a code takes it and gives
/// back what comes of it; where a code is refused, the advice is `pair --offer`. From every state this must lead to two
/// who read each other. That there is a way is not enough: people go the one that they are shown.
struct Guide {
    private let table: VaultTable
    private var vaults: [UInt32]

    /// More rounds than this nobody goes.
    static let rounds = 6

    init(_ table: VaultTable, _ alice: UInt32, _ bob: UInt32) {
        self.table = table
        vaults = [alice, bob]
        let times = (0..<2).map { who in
            let vault = vault(who)
            let mark = (try? book(who))?.clock.mark ?? 0
            return max(vault.clock, mark)
        }
        for who in 0..<2 { setClock(max(times[0], times[1]), who) }
    }

    /// Whether the two come to read each other.
    mutating func leadsOut() -> Bool {
        for round in 0..<Self.rounds {
            if agree() { return true }
            let writes = (0..<2).map { step(.send(to: 1 - $0), $0) != nil }
            let leader = writes[0] == writes[1] ? round % 2 : writes[0] ? 1 : 0
            if !exchange(.next(to: 1 - leader), by: leader) {
                let peer = table.cast.identities[1 - leader].peerID
                let isKnown = (try? book(leader))?.contacts[peer] != nil
                _ = exchange(.offer(to: isKnown ? 1 - leader : nil), by: leader)
            }
            for who in 0..<2 { setClock(vault(who).clock + 400, who) }
        }
        return agree()
    }

    private func vault(_ who: Int) -> Vault { table.vaults[who][Int(vaults[who])] }

    private func book(_ who: Int) throws(HSIPError) -> Book {
        try vault(who).disk.book(of: table.cast.identities[who], wallClock: vault(who).clock)
    }

    private mutating func setClock(_ time: UInt64, _ who: Int) {
        var moved = vault(who)
        moved.clock = time
        vaults[who] = table.number(of: moved, who)
    }

    private func step(_ deed: Deed, _ who: Int) -> VaultTable.Step? {
        table.step(deed, by: who, vaults[who], isBounded: false)
    }

    /// Whether a message each way would be read; nothing of it remains.
    private func agree() -> Bool {
        (0..<2).allSatisfy { who in
            guard let sent = step(.send(to: 1 - who), who)?.output else { return false }
            return step(.read(sent), 1 - who) != nil
        }
    }

    /// Shows a code and hands codes to and fro; false if one is refused.
    private mutating func exchange(_ deed: Deed, by leader: Int) -> Bool {
        guard let shown = step(deed, leader), var code = shown.output else { return false }
        vaults[leader] = shown.vault
        var taker = 1 - leader
        for _ in 0..<6 {
            guard let taken = step(.take(code), taker) else { return !isRefused(code, taker) }
            vaults[taker] = taken.vault
            guard let next = taken.output, next != code else { return true }
            code = next
            taker = 1 - taker
        }
        return true
    }

    /// Whether a code of which nothing comes was refused, or was taken before.
    private func isRefused(_ item: Int, _ who: Int) -> Bool {
        guard case .code(let code) = table.items[item], var book = try? book(who) else { return true }
        let event = Event.take(code, TakeRequest(reply: OfferRequest(limit: 1)))
        let outcome = try? book.reduce(event, wallClock: vault(who).clock, entropy: .seeded([1]))
        return outcome?.refusal != nil || outcome == nil
    }
}
