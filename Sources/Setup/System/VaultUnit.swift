package import Presentation

/// A unit by which a user's systemd runs hsip for a vault, without a person.
struct VaultUnit {
    /// The variables that name the folders of vaults, of their anchors, and of the configuration.
    private static let places = ["XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]

    private let vault: String
    private let program: String
    private let variables: [(name: String, value: String)]
    private let hint: String

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip.
    ///   - environment: The variables that name the folders of the vault: systemd does not know the shell's.
    ///   - opening: The variable that names what opens the vault, for a unit that may open it; nil for none.
    ///   - hint: The command that does by hand what the unit does.
    /// - Throws: `unavailable` for a vault or a program that cannot be named in a unit.
    init(
        vault: String,
        program: String,
        environment: (String) -> String?,
        opening: String? = nil,
        hint: String
    ) throws(Failure) {
        // The XDG rules: a value that is not an absolute path does not count.
        variables = (Self.places + (opening.map { [$0] } ?? [])).compactMap { name in
            environment(name).flatMap { $0.hasPrefix("/") ? (name, $0) : nil }
        }
        (self.vault, self.program, self.hint) = (vault, program, hint)
        guard UnitText.isPlain(vault) else {
            throw refusal("the vault's name cannot be written into a systemd unit")
        }
        guard UnitText.canBeQuoted(program) else {
            throw refusal("the path of hsip has characters with a special meaning for systemd")
        }
        guard variables.allSatisfy({ UnitText.canBeQuoted($0.value) }) else {
            throw refusal("the vault's folders have characters with a special meaning for systemd")
        }
    }

    /// The name, or `NAME-VAULT` for another vault than the usual one.
    func name(_ name: String) -> String { vault == "vault" ? name : "\(name)-\(vault)" }

    /// What the vault is called in a sentence: the usual one has no name there.
    var shown: String { vault == "vault" ? "the vault" : "the vault \(vault)" }

    /// The text of the service.
    ///
    /// - Parameters:
    ///   - description: What it does, in words.
    ///   - words: The command of hsip.
    ///   - families: The families of sockets that it may open.
    ///   - limit: After which time it is ended.
    /// - Returns: the text of the file.
    func service(_ description: String, _ words: String, families: String, limit: String) -> String {
        """
        [Unit]
        Description=HSIP Vault: \(description)

        [Service]
        Type=oneshot
        \(settings)ExecStart="\(program)" --vault \(vault) \(words)
        NoNewPrivileges=yes
        RestrictAddressFamilies=\(families)
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
        TimeoutStartSec=\(limit)

        """
    }

    /// A line for each variable.
    private var settings: String {
        variables.map { "Environment=\"\($0.name)=\($0.value)\"\n" }.joined()
    }

    func refusal(_ message: String) -> Failure { Failure(.unavailable, message, hint: hint) }
}

/// The units by which a user's systemd syncs a vault with the other machines.
package struct SyncUnits {
    package static let heading = "# Made by hsip setup sync timer"

    private let unit: VaultUnit

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip.
    ///   - environment: The variables that name the folders of the vault, and a server's file that opens it.
    /// - Throws: `unavailable` for a vault or a program that cannot be named in a unit.
    package init(
        vault: String,
        program: String,
        environment: (String) -> String? = { _ in nil }
    ) throws(Failure) {
        unit = try VaultUnit(
            vault: vault,
            program: program,
            environment: environment,
            opening: "HSIP_PASSPHRASE_FILE",
            hint: "hsip sync"
        )
    }

    /// The timer's unit, which is what is enabled.
    package var timer: String { "\(unit.name("hsip-sync")).timer" }

    /// The service's unit, which is started for one sync.
    package var service: String { "\(unit.name("hsip-sync")).service" }

    /// Name and text of each unit.
    package var texts: [(name: String, text: String)] { [(service, work), (timer, schedule)] }

    /// It asks for nothing, and does nothing while the vault is locked; git or curl reach the network.
    private var work: String {
        unit.service(
            "syncs \(unit.shown) with other machines",
            "--no-input --quiet sync now --unattended",
            families: "AF_UNIX AF_INET AF_INET6",
            limit: "10min"
        )
    }

    private var schedule: String {
        """
        [Unit]
        Description=HSIP Vault: sync of \(unit.shown) every five minutes

        [Timer]
        OnStartupSec=2min
        OnUnitInactiveSec=5min
        RandomizedDelaySec=1min

        [Install]
        WantedBy=timers.target

        """
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
