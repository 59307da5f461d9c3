internal import HSIP

/// The states of one side by number, and the steps out of each, computed by the machine once and then looked
/// up.
///
/// Millions of states of the two together are made of a few thousand states of each: the machine itself,
/// which is slow for an explorer, runs only for these.
final class StepTable {
    private let side: Side
    private let machine: Machine
    private var numbers: [[UInt32]: UInt32] = [:]
    private var peers: [Peer] = []
    /// What the promises ask of each state.
    private(set) var facts: [PeerFacts] = []
    private var ownSteps: [[LocalStep]?] = []
    /// Per state and item: 0 not yet known, 1 nothing happens, else the step behind this index less 2.
    private var replies: [UInt32] = []
    private var replySteps: [LocalStep] = []

    init(_ side: Side, machine: Machine) {
        self.side = side
        self.machine = machine
    }

    /// How many states of this side were met.
    var count: Int { peers.count }

    /// The machine of a state.
    func peer(_ number: UInt32) -> Peer { peers[Int(number)] }

    /// The number of a state of this side.
    func number(of peer: Peer) -> UInt32 {
        var peer = peer
        peer.normalise()
        let code = peer.code
        if let known = numbers[code] { return known }
        let number = UInt32(peers.count)
        numbers[code] = number
        peers.append(peer)
        facts.append(PeerFacts(peer, bounds: machine.bounds))
        ownSteps.append(nil)
        replies.append(contentsOf: repeatElement(0, count: ItemTable.capacity))
        return number
    }

    /// What a side may do by itself: start, show, send, let a grace time end.
    func steps(of number: UInt32, _ items: inout ItemTable) throws(ExplorerError) -> [LocalStep] {
        if let known = ownSteps[Int(number)] { return known }
        let peer = peers[Int(number)]
        var acts: [Act] = [.start, .show, .send, .mark, .update]
        for index in peer.rotation.past.indices { acts.append(.endGrace(UInt8(index))) }
        var steps: [LocalStep] = []
        for act in acts {
            if let step = try step(act, of: number, copy: 0, &items) { steps.append(step) }
        }
        ownSteps[Int(number)] = steps
        return steps
    }

    /// What happens if a side takes an item; nil if nothing.
    func reply(
        of number: UInt32,
        to item: UInt8,
        _ items: inout ItemTable
    ) throws(ExplorerError) -> LocalStep? {
        let place = Int(number) * ItemTable.capacity + Int(item)
        if replies[place] > 1 { return replySteps[Int(replies[place]) - 2] }
        if replies[place] == 1 { return nil }
        let step = try step(.take(item), of: number, copy: 0, &items)
        if let step {
            replySteps.append(step)
            replies[place] = UInt32(replySteps.count) + 1
        } else {
            replies[place] = 1
        }
        return step
    }

    /// The same step with another one-time key; nil if there are no more names for it.
    func again(_ step: LocalStep, of number: UInt32, _ items: inout ItemTable) throws(ExplorerError)
        -> LocalStep
    {
        guard let copy = step.copy, copy + 1 < RotateName.copies,
            let other = try self.step(step.act, of: number, copy: copy + 1, &items)
        else { throw .tooManyNames }
        return other
    }

    private func step(
        _ act: Act,
        of number: UInt32,
        copy: UInt8,
        _ items: inout ItemTable
    ) throws(ExplorerError) -> LocalStep? {
        let peer = peers[Int(number)]
        let party = NameParty(side, copy: copy)
        switch act {
        case .start:
            guard let (changed, rotate) = machine.start(peer, party: party) else { return nil }
            return try made(act, changed, .rotate(rotate), copy: copy, marks: [.rotate(rotate)], &items)
        case .show:
            guard let item = machine.shown(peer) else { return nil }
            return try made(act, peer, item, &items)
        case .send:
            guard let (changed, key) = machine.send(peer) else { return nil }
            return try made(act, changed, .message(from: side, under: key), &items)
        case .mark:
            guard let changed = machine.mark(peer) else { return nil }
            return try made(act, changed, nil, &items)
        case .update:
            guard let changed = machine.update(peer) else { return nil }
            return try made(act, changed, nil, &items)
        case .endGrace(let index):
            guard let changed = machine.endGrace(Int(index), peer) else { return nil }
            return try made(act, changed, nil, &items)
        case .take(let item):
            return try taking(items.items[Int(item)], act, peer, party, &items)
        }
    }

    private func taking(
        _ item: Item,
        _ act: Act,
        _ peer: Peer,
        _ party: NameParty,
        _ items: inout ItemTable
    ) throws(ExplorerError) -> LocalStep? {
        switch item {
        case .rotate(let rotate):
            guard let (changed, accept) = machine.take(rotate, peer, party: party) else { return nil }
            guard let accept else { return try made(act, changed, nil, &items) }
            return try made(
                act,
                changed,
                .accept(accept),
                copy: party.copy,
                marks: [.accept(accept), .message(from: side, under: accept)],
                &items
            )
        case .accept(let key):
            guard let changed = machine.take(accept: key, peer, party: party) else { return nil }
            return try made(act, changed, nil, &items)
        case .message(let sender, let key):
            guard sender != side, let changed = machine.read(key, peer) else { return nil }
            return try made(act, changed, nil, &items)
        }
    }

    private func made(
        _ act: Act,
        _ peer: Peer,
        _ output: Item?,
        copy: UInt8? = nil,
        marks: [Item] = [],
        _ items: inout ItemTable
    ) throws(ExplorerError) -> LocalStep {
        var numbers = ItemSet()
        for mark in marks { numbers.insert(try items.number(of: mark)) }
        var number: UInt8?
        if let output { number = try items.number(of: output) }
        return LocalStep(
            act: act,
            peer: self.number(of: peer),
            output: number,
            copy: copy,
            marks: numbers
        )
    }
}
