internal import HSIP

/// All vaults, and everything that got out of them.
package struct ActsWorld: Hashable, Sendable {
    /// The states of the vaults, by number.
    var vaults: [UInt32]
    /// The codes and messages that got out, ascending.
    var items: [UInt16] = []
    /// A message was sent that its reader cannot read.
    var isUnreadable = false

    mutating func add(_ item: Int) {
        let number = UInt16(item)
        let place = items.firstIndex { $0 >= number } ?? items.count
        if place == items.count || items[place] != number { items.insert(number, at: place) }
    }
}

/// One step of a walk over the acts.
package struct ActsStep: Sendable, CustomStringConvertible {
    let who: Int
    let deed: Deed
    let output: Int?
    let isLost: Bool

    package var description: String {
        let name = ["Alice", "Bob", "Third"][who]
        return "\(name).\(deed)" + (output.map { "→\($0)" } ?? "") + (isLost ? " lost" : "")
    }
}

/// People who pair, renew, restore, end and lose whatever they like over a network that does the same: the product's
/// reducer decides.
package struct ActsModel: GraphModel {
    package let scenario: ActsScenario
    package let initial: ActsWorld
    let table: VaultTable
    /// Told now and then how many states were left behind, and how many deeds were done for it.
    private let progress: (@Sendable (Int, Int) -> Void)?
    private var count = 0

    /// The reducer as it is, or with one mistake around it.
    ///
    /// - Throws: `outOfBounds` if the beginning of the scenario cannot be made.
    package init(
        _ scenario: ActsScenario,
        mistake: ActsMistake? = nil,
        progress: (@Sendable (Int, Int) -> Void)? = nil
    ) throws(ExplorerError) {
        self.scenario = scenario
        self.progress = progress
        let vaults: [Vault]
        let cast: Cast
        do {
            cast = try Cast(scenario, mistake: mistake)
            vaults = try cast.beginning()
        } catch {
            throw .outOfBounds
        }
        let table = VaultTable(cast)
        self.table = table
        initial = ActsWorld(vaults: vaults.enumerated().map { table.number(of: $1, $0) })
    }

    package mutating func expand(
        _ state: ActsWorld,
        into steps: inout [(step: ActsStep, state: ActsWorld)]
    ) throws(ExplorerError) {
        count += 1
        if count.isMultiple(of: 1_000) { progress?(count, table.stepCount) }
        for who in state.vaults.indices {
            for deed in table.cast.deeds(of: who) { append(deed, who, state, &steps) }
            for item in state.items {
                switch table.items[Int(item)] {
                case .code:
                    append(.take(Int(item)), who, state, &steps)
                    if scenario.options.contains(.inPerson) {
                        append(.takeInPerson(Int(item)), who, state, &steps)
                    }
                    for fault in scenario.faults { append(.takeFaulty(Int(item), fault), who, state, &steps) }
                case .message: append(.read(Int(item)), who, state, &steps)
                }
            }
        }
        guard table.items.count <= Int(UInt16.max) else { throw .tooManyNames }
    }

    /// A step with its output, and the same step with the output lost: the crash after the commit.
    private func append(
        _ deed: Deed,
        _ who: Int,
        _ state: ActsWorld,
        _ steps: inout [(step: ActsStep, state: ActsWorld)]
    ) {
        guard let step = table.step(deed, by: who, state.vaults[who]) else { return }
        var next = state
        next.vaults[who] = step.vault
        let isNew = next != state
        if let output = step.output {
            var sent = next
            sent.add(output)
            if case .send(let other) = deed {
                sent.isUnreadable = !isReadable(output, by: other, from: who, sent)
            }
            if sent != state {
                steps.append((ActsStep(who: who, deed: deed, output: output, isLost: false), sent))
            }
        }
        if isNew {
            steps.append((ActsStep(who: who, deed: deed, output: nil, isLost: step.output != nil), next))
        }
    }

    package func flaw(in state: ActsWorld) -> ActsFlaw? {
        for who in state.vaults.indices {
            if let flaw = vault(who, state).flaw { return flaw }
        }
        if scenario.third == .device, sealTheSame(state) { return .numberTwice }
        return state.isUnreadable ? .unreadable : nil
    }

    /// How many states of each vault the walk has met, how many deeds were done, and how many things got out.
    package var sizes: (vaults: [Int], deeds: Int, items: Int) {
        (table.vaults.map(\.count), table.stepCount, table.items.count)
    }

    private func vault(_ who: Int, _ state: ActsWorld) -> Vault { table.vaults[who][Int(state.vaults[who])] }

    /// What two devices of one person sealed since there are two never has a number in common.
    private func sealTheSame(_ state: ActsWorld) -> Bool {
        let before = table.vaults[0][Int(initial.vaults[0])].uses
        return !vault(0, state).uses.intersection(vault(2, state).uses).isSubset(of: before)
    }

    /// Whether a message is read by its reader now, or after a code that is on its way or can be shown again.
    ///
    /// Not promised where the reader lost or ended what it needs, where its clock is past the end of the key, where
    /// two devices renew one session, and where the sender is told that it will not be read yet.
    private func isReadable(_ item: Int, by reader: Int, from sender: Int, _ state: ActsWorld) -> Bool {
        guard case .message(_, let promise, let endsAt) = table.items[item], promise != .none else {
            return true
        }
        let reading = vault(reader, state)
        let isExcused =
            reading.wasRestored || !reading.ended.isEmpty || !reading.gone.isEmpty || reading.clock > endsAt
            || vault(sender, state).clock + 600 < reading.clock || scenario.third == .device
            || promise == .unconfirmed && hasSpentOffer(reader, state, besides: sender)
        return isExcused || reads(item, by: reader, from: sender, state)
    }

    /// An offer was closed, or somebody else answered it: the sender of an unconfirmed message cannot know.
    private func hasSpentOffer(_ who: Int, _ state: ActsWorld, besides sender: Int) -> Bool {
        let cast = table.cast
        let vault = vault(who, state)
        guard let book = try? vault.disk.book(of: cast.identities[who], wallClock: vault.clock) else {
            return false
        }
        return book.offers.values.contains { offer in
            switch offer.side {
            case .mine(_, _, .closed): true
            case .mine(_, _, .answered(let peer, _)): peer != cast.identities[sender].peerID
            case .mine(_, _, .open), .theirs: false
            }
        }
    }

    /// Whether a vault reads a message now, or after a code that is on its way or that the sender's program shows.
    private func reads(_ item: Int, by reader: Int, from sender: Int, _ state: ActsWorld) -> Bool {
        let (mine, theirs) = (state.vaults[reader], state.vaults[sender])
        if table.opens(item, by: reader, mine) { return true }
        let shown = table.step(.next(to: reader), by: sender, theirs, isBounded: false)?.output
        return (state.items.map { Int($0) } + (shown.map { [$0] } ?? [])).contains { code in
            guard case .code = table.items[code],
                let taken = table.step(.take(code), by: reader, mine, isBounded: false)
            else { return false }
            return table.opens(item, by: reader, taken.vault)
        }
    }
}
