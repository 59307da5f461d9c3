internal import Glibc
internal import VaultKit
internal import VaultPolicy

/// Who tried to open the vault while it was locked: its log cannot be written then, so it is kept until it can.
struct UnlockTries: Sendable {
    /// Wrong secrets that are kept one by one; more are counted.
    private static let maximum = 64

    private var wrong: [AuditEntry] = []
    private var more = 0
    private var right: Requester?

    /// Keeps a try.
    mutating func add(by requester: Requester?, isRight: Bool) {
        guard !isRight else {
            right = requester
            return
        }
        guard wrong.count < Self.maximum else {
            more += 1
            return
        }
        wrong.append(Self.wrong(by: requester))
    }

    /// The entry of a wrong secret.
    static func wrong(by requester: Requester?) -> AuditEntry {
        var entry = AuditEntry(
            .unlock,
            .refused,
            time: WallTime.milliseconds(),
            reason: "wrongSecret",
            user: geteuid()
        )
        if let requester { entry.add(requester) }
        return entry
    }

    /// What is to be written now that the vault is open, the opening last.
    var entries: [AuditEntry] {
        var entries = wrong
        let now = WallTime.milliseconds()
        if more > 0 {
            entries.append(
                AuditEntry(.unlock, .refused, time: now, reason: "wrongSecret:\(more)more", user: geteuid())
            )
        }
        var opening = AuditEntry(.unlock, .allowed, time: now, user: geteuid())
        if let right { opening.add(right) }
        entries.append(opening)
        return entries
    }
}
