/// The texts of the files that `setup keyring` writes, without their heading.
struct ProviderTexts {
    /// The vault's name, which is plain.
    let vault: String
    /// The paths of hsip-secrets and of hsip, which can stand between double quotes.
    let program: String
    let opener: String

    /// It has no `ProtectSystem`, `ProtectHome` or `Private…`: inside such a name space the agent could not see which
    /// program asks it, and this one not which programs call it.
    var unit: String {
        let agent = vault == "vault" ? "hsip-agent" : "hsip-agent-\(vault)"
        return """
            [Unit]
            Description=HSIP Vault: keeps the secrets of other programs in \(shown)
            Wants=\(agent)-control.socket \(agent)-ssh.socket
            After=\(agent)-control.socket \(agent)-ssh.socket

            [Service]
            Type=dbus
            BusName=\(ProviderFiles.busName)
            ExecStart="\(program)" --vault \(vault)
            Restart=on-failure
            \(ServiceUnits.hardening)

            """
    }

    /// What the vault is called in a sentence: the usual one has no name there.
    private var shown: String { vault == "vault" ? "the vault" : "the vault \(vault)" }

    /// By this file a program that calls the name starts hsip-secrets: by systemd, or by the bus where there is none.
    func activation(_ name: String) -> String {
        """
        [D-BUS Service]
        Name=\(name)
        Exec=\(Self.word(program)) --vault \(vault)
        SystemdService=\(ProviderFiles.unit)

        """
    }

    /// A path as the first word of a command: the bus and desktops split at blanks, and take quotes away as a shell does
    /// (D-Bus specification, "Message Bus Starting Services"; Desktop Entry Specification, "The Exec key").
    static func word(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || Array("/._-+@:,".utf8).contains(byte)
        }
        return isPlain ? path : "\"\(path)\""
    }

    /// A program that calls this name starts nothing.
    func silence(_ name: String) -> String {
        """
        [D-BUS Service]
        Name=\(name)
        Exec=/bin/false

        """
    }

    /// A desktop passes the system's entry of the same file name over.
    var hidden: String {
        """
        [Desktop Entry]
        Type=Application
        Name=Secret Storage Service
        Hidden=true

        """
    }

    /// Each login asks for the passphrase before a program needs it.
    var unlocking: String {
        """
        [Desktop Entry]
        Type=Application
        Name=HSIP Vault
        Comment=Opens the vault before programs need it
        Exec=\(Self.word(opener)) --vault \(vault) unlock
        NoDisplay=true

        """
    }

    /// Another command in the place of the unit's.
    func dropIn(_ start: String) -> String {
        """
        [Service]
        ExecStart=
        ExecStart=\(start)

        """
    }

    /// For xdg-desktop-portal, whose apps keep a key each in the vault.
    var portal: String {
        """
        [portal]
        DBusName=\(ProviderFiles.portalName)
        Interfaces=\(ProviderFiles.portalInterface)
        UseIn=sway;wlroots;i3;xfce;lxqt;mate;budgie

        """
    }

    /// The choice that is in force, with ours for the one interface.
    static func portalChoice(_ inForce: String?) -> String {
        let line = "\(ProviderFiles.portalInterface)=hsip"
        guard let inForce else { return "[preferred]\ndefault=*\n\(line)\n" }
        var lines = inForce.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .filter { !$0.hasPrefix(ProviderFiles.portalInterface + "=") }
        if lines.last == "" { lines.removeLast() }
        if let group = lines.firstIndex(of: "[preferred]") {
            lines.insert(line, at: group + 1)
        } else {
            lines += ["[preferred]", line]
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The command that starts GNOME Keyring without its Secret Service; nil where it names no parts, or not that one.
    static func withoutSecrets(_ start: String) -> String? {
        guard let range = start.firstRange(of: "--components=") else { return nil }
        let rest = start[range.upperBound...]
        let list = (rest.first.map { "\"'".contains($0) } == true ? rest.dropFirst() : rest)
            .prefix { !" \t\"'".contains($0) }
        let parts = list.split(separator: ",")
        guard parts.contains("secrets") else { return nil }
        let left = parts.filter { $0 != "secrets" }
        // Without any word it would start all of its parts.
        let words = left.isEmpty ? "pkcs11" : left.joined(separator: ",")
        return start[..<list.startIndex] + words + start[list.endIndex...]
    }
}
