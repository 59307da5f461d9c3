package import Presentation
internal import System
internal import VaultLifecycle

/// The files by which a vault becomes the Secret Service of its user's sessions, and GNOME Keyring leaves that name alone.
package struct ProviderFiles {
    /// The first line of each file.
    static let heading = "# Made by hsip setup keyring"
    /// The name on the session bus.
    package static let busName = "org.freedesktop.secrets"
    /// The name by which xdg-desktop-portal finds the Secret portal, and its interface.
    static let portalName = "org.freedesktop.impl.portal.desktop.hsip"
    static let portalInterface = "org.freedesktop.impl.portal.Secret"
    /// The unit of the service.
    package static let unit = "hsip-secrets.service"
    /// The unit of GNOME Keyring.
    package static let keyringUnit = "gnome-keyring-daemon.service"
    /// Names by which a program could start another Secret Service.
    private static let otherNames = ["org.gnome.keyring", portalInterface]
    private static let keyringEntry = "gnome-keyring-secrets.desktop"

    package let places: ProviderPlaces
    private let texts: ProviderTexts
    private let asksAtLogin: Bool
    private let choosesPortal: Bool

    /// - Parameters:
    ///   - vault: The name of the vault.
    ///   - program: The path of hsip-secrets.
    ///   - opener: The path of hsip, which asks for the passphrase at a login.
    ///   - places: The folders of the files of the user and of the system.
    ///   - asksAtLogin: Whether each login opens the vault.
    ///   - choosesPortal: Whether the user's choice of portals names the one of hsip, too.
    /// - Throws: `unavailable` for a vault or a program that cannot be named in these files.
    package init(
        vault: String,
        program: String,
        opener: String,
        places: ProviderPlaces,
        asksAtLogin: Bool,
        choosesPortal: Bool
    ) throws(Failure) {
        guard UnitText.isPlain(vault) else {
            throw Self.refusal("the vault's name cannot be written into a systemd unit")
        }
        guard [program, opener].allSatisfy(Self.canBeQuoted) else {
            throw Self.refusal(
                "the path of hsip-secrets has characters with a special meaning for the bus or the desktop"
            )
        }
        texts = ProviderTexts(vault: vault, program: program, opener: opener)
        (self.places, self.asksAtLogin, self.choosesPortal) = (places, asksAtLogin, choosesPortal)
    }

    /// The changes that write every missing or outdated file.
    ///
    /// - Throws: what `FoundFile` refuses; `malformedInput` if another program made a file at one of the paths.
    package func changes() throws(Failure) -> [FileChange] {
        try WholeFiles(heading: Self.heading, files: try wanted()).changes()
    }

    /// The changes that remove every file, including the files of earlier runs.
    ///
    /// A file stays if hsip did not write it, or if its text differs from what hsip wrote.
    ///
    /// - Parameter written: the texts that runs wrote, by their paths.
    /// - Returns: the changes, and the paths of files with our heading and another text.
    /// - Throws: what `FoundFile` refuses.
    func undoing(_ written: [String: [String]]) throws(Failure) -> (changes: [FileChange], kept: [String]) {
        let now = Dictionary(try wholeTexts().map { ($0.path, $0.text) }) { first, _ in first }
        var (changes, kept): ([FileChange], [String]) = ([], [])
        for path in all.reversed() where Path.beginning(of: path)?.hasPrefix(Self.heading + "\n") == true {
            let file = try FoundFile(path)
            let known = written[path, default: []] + [now[path]].compactMap(\.self)
            if known.contains(where: { file.bytes == Array($0.utf8) }) {
                changes.append(FileChange(file: file, new: nil))
            } else {
                kept.append(path)
            }
        }
        return (changes, kept)
    }

    /// The path and the whole text of each file.
    func wholeTexts() throws(Failure) -> [(path: String, text: String)] {
        try wanted().map { ($0.path, "\(Self.heading)\n\($0.text)") }
    }

    /// The folders that must be created for the files.
    func missingFolders() throws(Failure) -> Set<String> {
        Set(try wanted().flatMap { places.missingFolders(Path.folder(of: $0.path)) })
    }

    /// Removes the temporary files that a killed run left beside the files.
    func removeLeftovers() {
        for path in all { FileChange.removeLeftovers(beside: path) }
    }

    /// What people with other keyrings have to do themselves; hsip does not edit foreign settings.
    package var advice: [String] {
        var advice: [String] = []
        if ["org.kde.kwalletd6", "org.kde.kwalletd5"].contains(where: {
            places.systemActivation(of: $0) != nil
        }) {
            advice.append(
                "kwriteconfig6 --file kwalletrc --group org.freedesktop.secrets --key apiEnabled false"
            )
        }
        return advice
    }

    /// The portal configuration in force, if it is the user's own and hsip did not write it.
    package func foreignPortalChoice() throws(Failure) -> String? {
        guard choosesPortal, let path = places.portalConfiguration, path.hasPrefix(places.portalChoice + "/")
        else { return nil }
        return Self.isOurs(try FoundFile(path)) ? nil : path
    }

    /// Whether hsip wrote this file, from which the bus starts a program.
    package func isOwnActivation(_ path: String) -> Bool {
        path == service(Self.busName) && Path.beginning(of: path)?.hasPrefix(Self.heading + "\n") == true
    }

    /// The portal that portals.conf chooses for the keys of sandboxed apps, if that is not the portal of hsip.
    package var otherPortal: String? {
        guard let path = places.portalConfiguration, let text = Path.beginning(of: path) else { return nil }
        let start = Self.portalInterface + "="
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(start) }) else { return nil }
        let portal = line.dropFirst(start.count)
        return portal == "hsip" ? nil : String(portal)
    }

    /// The path and the text of each file, the unit first.
    private func wanted() throws(Failure) -> [(path: String, text: String)] {
        var files = [
            (path: places.units + "/\(Self.unit)", text: texts.unit),
            (service(Self.busName), texts.activation(Self.busName)),
        ]
        for name in Self.otherNames where places.systemActivation(of: name) != nil {
            files.append((service(name), texts.silence(name)))
        }
        if places.systemAutostart(Self.keyringEntry) != nil {
            files.append((places.autostart + "/\(Self.keyringEntry)", texts.hidden))
        }
        if let start = places.keyringStart.flatMap(ProviderTexts.withoutSecrets) {
            files.append((dropIn, texts.dropIn(start)))
        }
        files += [
            (service(Self.portalName), texts.activation(Self.portalName)),
            (places.portals + "/hsip.portal", texts.portal),
        ]
        if choosesPortal, let text = try portalChoice() { files.append((portalChoicePath, text)) }
        if asksAtLogin { files.append((loginEntry, texts.unlocking)) }
        return files
    }

    /// Every path that any run may have written to, in the order of writing.
    private var all: [String] {
        [places.units + "/\(Self.unit)", service(Self.busName)] + Self.otherNames.map(service)
            + [
                places.autostart + "/\(Self.keyringEntry)", dropIn, service(Self.portalName),
                places.portals + "/hsip.portal", portalChoicePath, loginEntry,
            ]
    }

    private func service(_ name: String) -> String { places.services + "/\(name).service" }
    private var dropIn: String { places.units + "/\(Self.keyringUnit).d/hsip.conf" }
    private var portalChoicePath: String { places.portalChoice + "/portals.conf" }
    private var loginEntry: String { places.autostart + "/hsip-unlock.desktop" }

    /// The choice of portals with the one of hsip; nil if the user has an own choice, which hsip does not edit.
    private func portalChoice() throws(Failure) -> String? {
        guard try foreignPortalChoice() == nil else { return nil }
        let own = try FoundFile(portalChoicePath)
        // hsip's own file is in force now and stays unchanged.
        if Self.isOurs(own), let bytes = own.bytes {
            return String(String(decoding: bytes, as: UTF8.self).dropFirst(Self.heading.count + 1))
        }
        let inForce = places.portalConfiguration.flatMap { try? OwnFile.readKept($0, limit: 65_536) }
        return ProviderTexts.portalChoice(inForce.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func isOurs(_ file: FoundFile) -> Bool {
        file.bytes?.starts(with: Array((heading + "\n").utf8)) == true
    }

    /// A path that means itself between double quotes in a unit, in a file of D-Bus and in one of a desktop.
    private static func canBeQuoted(_ path: String) -> Bool {
        path.hasPrefix("/")
            && path.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            && !path.contains { "\"\\$`%".contains($0) }
    }

    private static func refusal(_ message: String) -> Failure {
        Failure(.unavailable, message, hint: "hsip setup keyring --help")
    }
}
