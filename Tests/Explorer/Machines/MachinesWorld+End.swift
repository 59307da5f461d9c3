internal import SharedLog
internal import VaultCrypto

/// What must hold once the server is honest and everybody syncs.
extension MachinesWorld {
    /// From here on the server is honest and everybody syncs: what must then hold.
    package mutating func settle() {
        guard flaw == nil, !isHostile else { return }
        for _ in 0..<16 {
            var moved = false
            for who in machines.indices {
                while perform(.read(who)) { moved = true }
                if perform(.write(who)) { moved = true }
                if perform(.send(who)) { while perform(.read(who)) { moved = true } }
            }
            if !moved { break }
        }
        judgeEnd()
    }

    mutating func judgeEnd() {
        guard flaw == nil else { return }
        let newest = line.keys.max() ?? 0
        let active = machines.filter { machine in
            machine.book?.key != nil && removed[machine.number] == nil
        }
        for machine in active {
            if machine.book?.head.place != newest || machine.refusal != nil { flaw = .stuck }
        }
        if let last = machines.last, last.admission != nil, last.book == nil, removed[last.number] == nil {
            // An ADMIT that is too old is made again.
            do throws(LogError) { try join(last.number) } catch  where error.reason != .admitOutdated {
                flaw = flaw ?? .stuck
            } catch {}
        }
        guard flaw == nil else { return }
        if Set(active.map { $0.book?.state.digest(epoch: $0.book?.epoch ?? 0) }).count > 1
            || Set(active.map(\.records)).count > 1
        {
            flaw = .statesDiffer
        }
        var kept = replaced
        for machine in active { for fields in machine.records.values { kept.formUnion(fields) } }
        for value in typed.subtracting(kept) where !isInConflict(value) && !isOfRemoved(value) {
            flaw = flaw ?? .changeLost
        }
        judgeSecrecy(active)
    }

    func isOfRemoved(_ value: String) -> Bool {
        removed.keys.contains { value.hasPrefix("\($0).") }
    }

    func isInConflict(_ value: String) -> Bool {
        guard let lost = try? Secret(copying: Array(value.utf8)) else { return false }
        return machines.contains { machine in
            guard let book = machine.book else { return false }
            return machines.contains { other in
                let conflict = try? ConflictObject(
                    object: LogMachine.id(0),
                    kind: 1,
                    machine: other.id,
                    time: 1,
                    reason: 0,
                    lost: lost
                )
                return conflict.map { book.state[$0.id] != nil } ?? false
            }
        }
    }

    /// What was removed opens nothing newer, and what was wiped is opened by nothing that is held.
    mutating func judgeSecrecy(_ active: [LogMachine]) {
        let frames = ever.compactMap { try? EntryFrame($0) }.filter {
            line[$0.place] == $0.bytes || $0.boxes != nil
        }
        for (_, machine) in removed {
            guard let removal = removals[machine.id] else { continue }
            for frame in frames where line[frame.place] == frame.bytes && frame.place > removal.place {
                if frame.epoch <= removal.epoch || opens(frame, machine, [machine.keys.boxSecret]) {
                    flaw = flaw ?? .removedReads
                }
            }
        }
        guard let whole = active.first?.book?.newestWhole, whole > 1 else { return }
        // A vault that was put back has the secrets of its copy. A box opens as long as its machine is a member, so only
        // keys are wiped.
        for machine in active where !machine.wasRestored {
            for frame in frames where frame.place < whole && frame.boxes != nil {
                for key in machine.keptKeys {
                    if let known = keys[frame.epoch], ConstantTime.equal(known, key) {
                        flaw = flaw ?? .notWiped
                    }
                }
            }
        }
    }

    func opens(_ frame: EntryFrame, _ machine: LogMachine, _ secrets: [Secret]) -> Bool {
        secrets.contains { secret in
            (try? frame.boxes?.key(for: machine.id, secret, in: frame)).flatMap { $0 } != nil
        }
    }
}
