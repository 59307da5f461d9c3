/// Chooses the pairing of a contact that sends, and ranks a new one (Schemas/hsip-xc1.md section 5).
public enum PairingOrder {
    /// How far ahead of the clock an answer's stamp may be and still outrank confirmed pairings: five minutes.
    ///
    /// The limit ensures that a clock that was once wrong does not lock a contact out for ever.
    public static let stampBound: UInt64 = 300

    /// The pairings by rank, highest first.
    public static func ranked(_ entries: [PairingEntry]) -> [PairingEntry] {
        entries.sorted { $0.outranks($1) }
    }

    /// The pairing for sending: the highest ranked confirmed one, else my highest ranked unconfirmed answer; never a
    /// muted one.
    ///
    /// An exhausted pairing has no fallback: two counters would be confusing.
    public static func sending(_ entries: [PairingEntry]) -> PairingEntry? {
        let able = ranked(entries).filter { !$0.isMuted }
        return able.first { $0.isConfirmed } ?? able.first { $0.role == .answerer }
    }

    /// The stamp of a new answer, above every other stamp within the limit, so that both sides order pairings alike.
    ///
    /// Unconfirmed pairings count too: of two answers made within one second, the later one wins.
    public static func answerStamp(wallClock: UInt64, entries: [PairingEntry]) -> UInt64 {
        let others = entries.filter { !$0.isLegacy && $0.answerIssued < wallClock + stampBound }
        return max(wallClock, others.map { $0.answerIssued + 1 }.max() ?? 0)
    }

    /// Mutes every lower-ranked pairing after a new offer was answered; muted pairings still receive.
    ///
    /// Only lower-ranked ones are muted: otherwise crossing offers would never agree.
    public static func mute(_ entries: inout [PairingEntry], below fresh: PairingEntry) {
        for index in entries.indices where entries[index].id != fresh.id && fresh.outranks(entries[index]) {
            entries[index].isMuted = true
        }
    }

    /// The pairing that a fifth one ends: the lowest in rank that does not send.
    ///
    /// The fifth itself is never ended, because its code is about to be shown, or its key was just accepted. It may rank
    /// lowest: an import, or a clock that was once ahead.
    public static func surplus(_ entries: [PairingEntry], besides fifth: PairingID) -> PairingEntry? {
        guard entries.count > Contact.maximumPairings else { return nil }
        let sendingID = sending(entries)?.id
        return ranked(entries).last { $0.id != sendingID && $0.id != fifth }
    }
}
