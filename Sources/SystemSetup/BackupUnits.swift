package import Console

/// The units by which a user's systemd backs up a vault from time to time.
package struct BackupUnits {
    package static let heading = "# Made by hsip setup backup"

    /// The variables that say where vaults, their anchors and what is remembered of them lie.
    private static let places = ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]

    /// How often a backup is made.
    package enum Interval: String, Sendable {
        case hourly, daily
    }

    /// `hsip-backup`, or `hsip-backup-NAME` for another vault than the usual one.
    package let name: String
    private let vault: String
    private let program: String
    private let folder: String
    private let variables: [(name: String, value: String)]
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
        guard UnitText.isPlain(vault) else {
            throw Self.refusal("the vault's name cannot be written into a systemd unit")
        }
        guard UnitText.canBeQuoted(program) else {
            throw Self.refusal("the path of hsip has characters with a special meaning for systemd")
        }
        guard UnitText.canBeQuoted(folder) else {
            throw Self.refusal("the folder's path has characters with a special meaning for systemd")
        }
        // The XDG rules: a value that is not an absolute path does not count.
        variables = Self.places.compactMap { name in
            environment(name).flatMap { $0.hasPrefix("/") ? (name, $0) : nil }
        }
        guard variables.allSatisfy({ UnitText.canBeQuoted($0.value) }) else {
            throw Self.refusal("the vault's folders have characters with a special meaning for systemd")
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
        \(settings)ExecStart="\(program)" --vault \(vault) vault backup --to "\(folder)" --keep \(newest) \
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

    /// A line for each variable.
    private var settings: String {
        variables.map { "Environment=\"\($0.name)=\($0.value)\"\n" }.joined()
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
    /// Letters, digits, `-` and `_`, and no `-` in front: the name of a vault that is part of a unit's name.
    static func isPlain(_ name: String) -> Bool {
        // One that begins with a hyphen would be an option.
        !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
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
