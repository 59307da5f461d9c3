package import Console

/// The units by which a user's systemd backs up a vault from time to time.
package struct BackupUnits {
    package static let heading = "# Made by hsip setup backup"

    /// How often a backup is made.
    package enum Interval: String, Sendable {
        case hourly, daily
    }

    /// `hsip-backup`, or `hsip-backup-NAME` for another vault than the usual one.
    package let name: String
    private let vault: String
    private let program: String
    private let folder: String
    private let interval: Interval
    private let newest: Int
    private let monthly: Int

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip.
    ///   - folder: Where the copies go, an absolute path.
    ///   - interval: How often.
    ///   - newest: How many of the newest copies stay.
    ///   - monthly: Of how many months the last copy stays.
    /// - Throws: `unavailable` for a vault, a program or a folder that cannot be named in a unit.
    package init(
        vault: String,
        program: String,
        folder: String,
        interval: Interval,
        newest: Int,
        monthly: Int
    ) throws(Failure) {
        guard UnitText.isPlain(vault) else {
            throw Self.refusal("a vault of this name cannot stand in a unit of systemd")
        }
        guard UnitText.canBeQuoted(program) else {
            throw Self.refusal("the path of hsip has characters that systemd reads as something else")
        }
        guard UnitText.canBeQuoted(folder) else {
            throw Self.refusal("the folder's path has characters that systemd reads as something else")
        }
        name = vault == "vault" ? "hsip-backup" : "hsip-backup-\(vault)"
        (self.vault, self.program, self.folder) = (vault, program, folder)
        (self.interval, self.newest, self.monthly) = (interval, newest, monthly)
    }

    /// The timer's unit, which is what is enabled.
    package var timer: String { "\(name).timer" }

    /// Name and text of each unit.
    package var texts: [(name: String, text: String)] { [("\(name).service", service), (timer, schedule)] }

    /// What the vault is called in a sentence: the usual one has no name there.
    private var shown: String { vault == "vault" ? "the vault" : "the vault \(vault)" }

    /// It asks for nothing: the copy is read whole only where a key slot opens by itself.
    ///
    /// A folder that is not there ends it with 12, and it is tried again the next time.
    private var service: String {
        """
        [Unit]
        Description=HSIP Vault: backs up \(shown)

        [Service]
        Type=oneshot
        ExecStart="\(program)" --vault \(vault) vault backup --to "\(folder)" --keep \(newest) \
        --monthly \(monthly) --unattended
        NoNewPrivileges=yes
        RestrictAddressFamilies=AF_UNIX
        RestrictNamespaces=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallErrorNumber=EPERM
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        UMask=0077
        LimitCORE=0
        LimitMEMLOCK=64M
        TimeoutStartSec=1h

        """
    }

    private var schedule: String {
        """
        [Unit]
        Description=HSIP Vault: \(interval.rawValue) backup of \(shown)

        [Timer]
        OnCalendar=\(interval.rawValue)
        Persistent=yes
        RandomizedDelaySec=15m

        [Install]
        WantedBy=timers.target

        """
    }

    private static func refusal(_ message: String) -> Failure {
        Failure(.unavailable, message, hint: "hsip vault backup --to DIR")
    }
}

/// What may stand in a unit of systemd.
enum UnitText {
    /// Letters, digits, `-` and `_`: the name of a vault that is part of a unit's name.
    static func isPlain(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
    }

    /// A path that means itself between quotation marks.
    static func canBeQuoted(_ path: String) -> Bool {
        !path.unicodeScalars.contains { scalar in
            "\"\\%$".unicodeScalars.contains(scalar) || scalar.value < 0x20 || scalar.value == 0x7F
        }
    }
}
