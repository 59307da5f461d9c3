/// Which of a contact's pairings sends, and how a new one ranks (Schemas/hsip-xc1.md section 5).
public enum PairingOrder {
    /// How far ahead of the clock an answer may be stamped to outrank the confirmed ones: five minutes.
    ///
    /// Without a bound, a clock that was once wrong would lock a contact out for good.
    public static let stampBound: UInt64 = 300

    /// Ranks, highest first.
    public static func ranked(_ entries: [PairingEntry]) -> [PairingEntry] {
        entries.sorted { $0.outranks($1) }
    }

    /// The pairing for sending: the confirmed one of highest rank, else my unconfirmed answer of highest
    /// rank; muted ones never.
    ///
    /// There is no fallback when it is exhausted: two counters would surprise.
    public static func sending(_ entries: [PairingEntry]) -> PairingEntry? {
        let able = ranked(entries).filter { !$0.isMuted }
        return able.first { $0.isConfirmed } ?? able.first { $0.role == .answerer }
    }

    /// The stamp of a new answer, so that both sides order alike: above every other that is within the bound.
    ///
    /// Above unconfirmed ones, too: of two answers made within one second the later one counts.
    public static func answerStamp(wallClock: UInt64, entries: [PairingEntry]) -> UInt64 {
        let others = entries.filter { !$0.isLegacy && $0.answerIssued < wallClock + stampBound }
        return max(wallClock, others.map { $0.answerIssued + 1 }.max() ?? 0)
    }

    /// A fresh offer was answered: every lower-ranked pairing stops sending and goes on receiving.
    ///
    /// Only lower-ranked ones: with all of them muted, crossing offers would never agree.
    public static func mute(_ entries: inout [PairingEntry], below fresh: PairingEntry) {
        for index in entries.indices where entries[index].id != fresh.id && fresh.outranks(entries[index]) {
            entries[index].isMuted = true
        }
    }

    /// The pairing that a fifth one ends: the lowest ranked that is not the sending one.
    ///
    /// Never the fifth itself, which may rank lowest (an import, or a clock that was once ahead): its code is
    /// about to be shown, or its key was just accepted.
    public static func surplus(_ entries: [PairingEntry], besides fifth: PairingID) -> PairingEntry? {
        guard entries.count > Contact.maximumPairings else { return nil }
        let sendingID = sending(entries)?.id
        return ranked(entries).last { $0.id != sendingID && $0.id != fifth }
    }
}
