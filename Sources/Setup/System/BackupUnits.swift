package import Presentation

/// The units by which a user's systemd backs up a vault from time to time.
package struct BackupUnits {
    package static let heading = "# Made by hsip setup backup"

    /// How often a backup is made.
    package enum Interval: String, Sendable {
        case hourly, daily
    }

    /// `hsip-backup`, or `hsip-backup-NAME` for another vault than the usual one.
    package let name: String
    private let unit: VaultUnit
    private let folder: String
    private let interval: Interval
    private let newest: Int
    private let monthly: Int

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip.
    ///   - folder: Where the copies go, an absolute path.
    ///   - environment: Where the vault lies, as far as variables say so: systemd does not know those of a shell.
    ///   - interval: How often.
    ///   - newest: How many of the newest copies stay.
    ///   - monthly: Of how many months the last copy stays.
    /// - Throws: `unavailable` for a vault, a program or a folder that cannot be named in a unit.
    package init(
        vault: String,
        program: String,
        folder: String,
        environment: (String) -> String? = { _ in nil },
        interval: Interval,
        newest: Int,
        monthly: Int
    ) throws(Failure) {
        unit = try VaultUnit(
            vault: vault,
            program: program,
            environment: environment,
            hint: "hsip vault backup --to DIR"
        )
        guard UnitText.canBeQuoted(folder) else {
            throw unit.refusal("the folder's path has characters with a special meaning for systemd")
        }
        name = unit.name("hsip-backup")
        self.folder = folder
        (self.interval, self.newest, self.monthly) = (interval, newest, monthly)
    }

    /// The timer's unit, which is what is enabled.
    package var timer: String { "\(name).timer" }

    /// Name and text of each unit.
    package var texts: [(name: String, text: String)] { [("\(name).service", service), (timer, schedule)] }

    /// It asks for nothing: the copy is read whole only where a key slot opens by itself.
    ///
    /// A folder that is not there ends it with 12, and it is tried again the next time.
    private var service: String {
        unit.service(
            "backs up \(unit.shown)",
            "vault backup --to \"\(folder)\" --keep \(newest) --monthly \(monthly) --unattended",
            families: "AF_UNIX",
            limit: "1h"
        )
    }

    private var schedule: String {
        """
        [Unit]
        Description=HSIP Vault: \(interval.rawValue) backup of \(unit.shown)

        [Timer]
        OnCalendar=\(interval.rawValue)
        Persistent=yes
        RandomizedDelaySec=15m

        [Install]
        WantedBy=timers.target

        """
    }
}
