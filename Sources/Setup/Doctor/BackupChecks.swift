internal import FileStore
internal import Presentation
internal import Text
package import VaultLifecycle

/// Whether there are backups of a vault, how old they are, and how far they were read.
///
/// It goes by what this machine remembers: a backup that was made by hand on another one is not known here.
package struct BackupChecks {
    private static let day: Int64 = 86_400
    /// Days without any backup.
    private static let longest: Int64 = 30
    /// Days without one that was read whole.
    private static let longestUnread: Int64 = 60
    /// Days without a trial of a backup.
    private static let longestUntried: Int64 = 180
    /// Days that the place of the newest backup may be away: a stick is not always connected.
    private static let longestAway: Int64 = 7

    /// Copies that were made without the keys, before it is said that none of them goes.
    private static let maximumUnread = 50

    private let memory: BackupMemory
    private let shown: (String) -> String
    private let now: Int64

    package init(_ memory: BackupMemory, now: Int64, shown: @escaping (String) -> String) {
        (self.memory, self.now, self.shown) = (memory, now, shown)
    }

    init(_ context: CheckContext, _ vaultID: [UInt8]) {
        let display = context.display
        self.init(BackupMemory(context.place, vaultID), now: context.now) { display.cell($0) }
    }

    /// What is known of the backups.
    ///
    /// - Parameters:
    ///   - made: when the vault was made, Unix seconds; nil where that is not known: then it is not said that there never
    ///     was a backup.
    ///   - epoch: the epoch of the vault's key; nil where that is not known.
    /// - Returns: what is found; nothing for a new vault without a backup.
    package func findings(ofVaultMade made: Int64?, epoch: UInt32? = nil) -> [Finding] {
        guard let latest = memory.latest else {
            guard let made, days(since: made) >= Self.longest else { return [] }
            return [
                warning(
                    "the vault has no backup",
                    reason: "if the disk fails, you lose everything in the vault",
                    hint: Self.advice
                )
            ]
        }
        var found: [Finding] = []
        if days(since: latest.at) >= Self.longest {
            found.append(
                warning(
                    "the newest backup is \(days(since: latest.at)) days old",
                    reason: "if the disk fails, you lose what changed since then",
                    hint: Self.advice
                )
            )
        }
        if let epoch, memory.entries.allSatisfy({ $0.epoch < epoch }) {
            found.append(
                warning(
                    "the newest backup is older than the vault's key",
                    reason: "a backup from before the key change can no longer replace the vault",
                    hint: Self.advice
                )
            )
        }
        if let gone = gone(latest) { found.append(gone) }
        if latest.isOnSameDisk {
            found.append(
                warning(
                    "the newest backup is on the same disk as the vault",
                    reason: "if the disk fails, you lose both",
                    hint: "hsip vault backup --to DIR  on another disk"
                )
            )
        }
        if let unread = unread(latest) { found.append(unread) }
        if let heap = heap(latest) { found.append(heap) }
        if let since = memory.since, days(since: memory.drilledAt ?? since) >= Self.longestUntried {
            found.append(
                Finding(
                    check: .backups,
                    state: .notice,
                    message: "no backup was opened as a test within \(Self.longestUntried) days",
                    reason: "without a test you notice too late that a backup does not open",
                    hint: "hsip vault backup --drill \(ShellWord.path(latest.path))"
                )
            )
        }
        let age = days(since: latest.at)
        return found.isEmpty
            ? [.fine(.backups, "the newest backup is from \(age == 0 ? "today" : Times.date(latest.at))")]
            : found
    }

    /// The newest backup is not where it was.
    private func gone(_ latest: BackupMemory.Entry) -> Finding? {
        guard !Path.exists(latest.path) else { return nil }
        let folder = Path.folder(of: latest.path)
        guard !Path.isFolder(folder) else {
            return warning(
                "the newest backup does not exist any more: \(shown(latest.path))",
                reason: "another program or person removed the backup, or another disk is connected",
                hint: Self.advice
            )
        }
        guard days(since: latest.at) >= Self.longestAway else { return nil }
        return warning(
            "the folder of the newest backup does not exist: \(shown(folder))",
            reason: "no backup was written there for \(days(since: latest.at)) days",
            hint: "hsip vault backup --to \(ShellWord.path(folder))  when its disk is connected"
        )
    }

    /// None was read whole for long: what only its structure says may not open.
    private func unread(_ latest: BackupMemory.Entry) -> Finding? {
        guard let since = memory.latestFull?.at ?? memory.since,
            days(since: since) >= Self.longestUnread
        else { return nil }
        return warning(
            "no backup was read completely within \(Self.longestUnread) days",
            reason: "only a check with the vault's keys shows whether the records open",
            hint: Self.trial(latest.path)
        )
    }

    /// Copies that were made without the keys fill the disk: none lets another one go.
    private func heap(_ latest: BackupMemory.Entry) -> Finding? {
        let unread = memory.entries.count { $0.check == .structure && Path.exists($0.path) }
        guard unread >= Self.maximumUnread else { return nil }
        return warning(
            "\(unread) backups were made without the vault's keys, and none of them was checked",
            reason: "hsip removes old backups only after it checked a newer one, so backups fill the disk",
            hint: "hsip vault backup --to \(ShellWord.path(Path.folder(of: latest.path)))  "
                + "with the passphrase checks them"
        )
    }

    private func days(since time: Int64) -> Int64 { max(0, now - time) / Self.day }

    private func warning(_ message: String, reason: String, hint: String) -> Finding {
        Finding(check: .backups, state: .warning, message: message, reason: reason, hint: hint)
    }

    private static let advice = "hsip vault backup --to DIR"

    private static func trial(_ path: String) -> String {
        "hsip vault backup --verify \(ShellWord.path(path))"
    }
}
