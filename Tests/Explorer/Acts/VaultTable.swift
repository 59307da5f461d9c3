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

    /// What the promises ask of a vault.
    struct Facts {
        /// The pairing that sends to the other of the first two, if it is not restored.
        let sending: PairingID?
        let flaw: ActsFlaw?
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
    private var facts: [[Facts?]]

    init(_ cast: Cast) {
        self.cast = cast
        let count = cast.identities.count
        vaults = Array(repeating: [], count: count)
        numbers = Array(repeating: [:], count: count)
        answers = Array(repeating: [:], count: count)
        facts = Array(repeating: [], count: count)
    }

    /// How many deeds were done.
    var stepCount: Int { answers.reduce(0) { $0 + $1.count } }

    func number(of vault: Vault, _ who: Int) -> UInt32 {
        if let known = numbers[who][vault] { return known }
        let number = UInt32(vaults[who].count)
        numbers[who][vault] = number
        vaults[who].append(vault)
        facts[who].append(nil)
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
    /// - Parameter isBounded: the bounds of the scenario hold.
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

    func facts(_ who: Int, _ vault: UInt32) -> Facts {
        if let known = facts[who][Int(vault)] { return known }
        let state = vaults[who][Int(vault)]
        var sending: PairingID?
        if who < 2, let book = try? state.disk.book(of: cast.identities[who], wallClock: state.clock),
            let entry = book.contacts[cast.identities[1 - who].peerID].flatMap({
                PairingOrder.sending($0.pairings)
            }), book.pairings[entry.id]?.rotation?.current.isRestored == false
        {
            sending = entry.id
        }
        let found = Facts(sending: sending, flaw: state.flaw)
        facts[who][Int(vault)] = found
        return found
    }
}
