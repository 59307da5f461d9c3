internal import HSIP

/// The states of every vault by number, and the deeds out of each, done once and then looked up.
///
/// The reducer with its real keys is slow for an explorer; it runs once for each state of one vault and each thing
/// that can happen to it, however many states of all vaults together are made of these.
final class VaultTable {
    /// What comes of a deed.
    struct Step {
        let vault: UInt32
        let output: Int?
    }

    private struct Question: Hashable {
        let vault: UInt32
        let deed: Deed
        let isBounded: Bool
    }

    let cast: Cast
    private(set) var items: [ActsItem] = []
    private var itemNumbers: [ActsItem: Int] = [:]
    private(set) var vaults: [[Vault]]
    private var numbers: [[Vault: UInt32]]
    private var answers: [[Question: Step?]]

    init(_ cast: Cast) {
        self.cast = cast
        let count = cast.identities.count
        vaults = Array(repeating: [], count: count)
        numbers = Array(repeating: [:], count: count)
        answers = Array(repeating: [:], count: count)
    }

    /// How many deeds were done.
    var stepCount: Int { answers.reduce(0) { $0 + $1.count } }

    func number(of vault: Vault, _ who: Int) -> UInt32 {
        if let known = numbers[who][vault] { return known }
        let number = UInt32(vaults[who].count)
        numbers[who][vault] = number
        vaults[who].append(vault)
        return number
    }

    func number(of item: ActsItem) -> Int {
        if let known = itemNumbers[item] { return known }
        itemNumbers[item] = items.count
        items.append(item)
        return items.count - 1
    }

    /// What comes of a deed; nil if nothing does.
    ///
    /// Where `isBounded` is true, the bounds of the scenario hold.
    func step(_ deed: Deed, by who: Int, _ vault: UInt32, isBounded: Bool = true) -> Step? {
        let question = Question(vault: vault, deed: deed, isBounded: isBounded)
        if let known = answers[who][question] { return known }
        var step: Step?
        let state = vaults[who][Int(vault)]
        if let (next, output) = cast.perform(deed, by: who, state, items, isBounded: isBounded) {
            step = Step(vault: number(of: next, who), output: output.map { number(of: $0) })
        }
        answers[who][question] = .some(step)
        return step
    }

    /// Whether a vault has read a message, or would.
    func opens(_ item: Int, by who: Int, _ vault: UInt32) -> Bool {
        vaults[who][Int(vault)].opened.contains(item)
            || step(.read(item), by: who, vault, isBounded: false) != nil
    }

    /// The pairing under which a vault sends to somebody; nil if there is none, or it is restored.
    func sending(_ who: Int, _ vault: UInt32, to other: Int) -> PairingID? {
        let state = vaults[who][Int(vault)]
        guard let book = try? state.disk.book(of: cast.identities[who], wallClock: state.clock),
            let contact = book.contacts[cast.identities[other].peerID],
            let entry = PairingOrder.sending(contact.pairings),
            book.pairings[entry.id]?.rotation?.current.isRestored == false
        else { return nil }
        return entry.id
    }
}
