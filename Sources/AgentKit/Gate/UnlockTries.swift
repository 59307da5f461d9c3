internal import Glibc
internal import VaultKit
internal import VaultPolicy

/// The tries to open the vault while it was locked, which cannot be logged before it is open.
struct UnlockTries: Sendable {
    /// The largest number of separate entries for wrong secrets; further ones are only counted.
    private static let maximum = 64

    private var wrong: [AuditEntry] = []
    private var more = 0
    private var right: Requester?

    /// Records a try.
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

    /// Returns the entry for a wrong secret.
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

    /// The entries to write now that the vault is open, the opening last.
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
