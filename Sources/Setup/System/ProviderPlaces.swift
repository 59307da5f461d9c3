internal import CLinux
internal import Glibc
internal import Presentation
package import System
internal import VaultLifecycle

/// Where sessions look for what starts a Secret Service: the folders of the user and those of the system.
package struct ProviderPlaces {
    /// The user's units of systemd.
    let units: String
    /// The user's files by which the bus starts programs.
    let services: String
    /// The user's programs that a desktop starts at a login.
    let autostart: String
    /// The user's descriptions of portals.
    let portals: String
    /// The user's choice among portals.
    let portalChoice: String
    /// The like of the system, the folder that counts most first.
    private let systemConfig: [String]
    private let systemData: [String]
    private let systemUnits: [String]
    /// The desktops that this session says it is, in lower case.
    private let desktops: [String]

    /// - Parameters:
    ///   - config: `$XDG_CONFIG_HOME`.
    ///   - data: `$XDG_DATA_HOME`.
    ///   - environment: Where `$XDG_CONFIG_DIRS` and `$XDG_DATA_DIRS` are.
    ///   - unitFolders: Where the system's units for users lie (systemd.unit(5)).
    package init(
        config: String,
        data: String,
        _ environment: Environment,
        unitFolders: [String] = ["/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"]
    ) {
        units = config + "/systemd/user"
        services = data + "/dbus-1/services"
        autostart = config + "/autostart"
        portals = data + "/xdg-desktop-portal/portals"
        portalChoice = config + "/xdg-desktop-portal"
        systemConfig = Self.folders(environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg")
        systemData = Self.folders(environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share")
        systemUnits = unitFolders
        desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":")
            .map(String.init).filter { !$0.contains("/") }
    }

    /// A list in a variable; what is not an absolute path does not count (XDG Base Directory Specification).
    private static func folders(_ list: String) -> [String] {
        list.split(separator: ":").filter { $0.hasPrefix("/") }.map { folder in
            folder.lastIndex { $0 != "/" }.map { String(folder[...$0]) } ?? ""
        }
    }

    /// The file by which the system's bus starts a program of this name; nil where there is none.
    func systemActivation(of name: String) -> String? {
        systemData.map { "\($0)/dbus-1/services/\(name).service" }.first { Path.isFile($0) }
    }

    /// The first file, in the order of the bus, by which it starts a program of this name.
    package func activation(of name: String) -> String? {
        let own = "\(services)/\(name).service"
        return Path.isFile(own) ? own : systemActivation(of: name)
    }

    /// The system's autostart entry of this name; nil where there is none.
    func systemAutostart(_ name: String) -> String? {
        systemConfig.map { "\($0)/autostart/\(name)" }.first { Path.isFile($0) }
    }

    /// The command that starts GNOME Keyring, as its unit says it; nil without such a unit.
    var keyringStart: String? {
        for folder in [units] + systemUnits + systemData.map({ $0 + "/systemd/user" }) {
            let path = "\(folder)/\(ProviderFiles.keyringUnit)"
            guard Path.isFile(path) else { continue }
            guard let bytes = try? OwnFile.readKept(path, limit: 65_536) else { return nil }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return lines.last { $0.hasPrefix("ExecStart=") }.map { String($0.dropFirst("ExecStart=".count)) }
        }
        return nil
    }

    /// The file that chooses among portals for this session (portals.conf(5)); nil where none does.
    ///
    /// The first one counts whole: the user's before the system's, one of the desktop before the general one.
    var portalConfiguration: String? {
        let folders =
            [portalChoice]
            + (systemConfig + ["/etc"] + [Path.folder(of: Path.folder(of: portals))] + systemData)
            .map { $0 + "/xdg-desktop-portal" }
        let names = desktops.map { "\($0)-portals.conf" } + ["portals.conf"]
        return folders.lazy.flatMap { folder in names.map { "\(folder)/\($0)" } }.first { Path.isFile($0) }
    }

    /// The folders that have to be made for this one.
    func missingFolders(_ folder: String) -> [String] {
        var missing: [String] = []
        var next = folder
        while next.utf8.count > 1, !Path.exists(next) {
            missing.append(next)
            next = Path.folder(of: next)
        }
        return missing
    }
}

/// The process that owns a name on the bus, held by a descriptor: its number may be another's later.
package struct NameHolder: ~Copyable {
    private let descriptor: Int32
    /// The path of its program, or else what it can be called.
    package let name: String
    /// Its program was replaced, as by an update.
    package let isReplaced: Bool

    /// Whether it is hsip-secrets, by its file's name.
    package var isOwn: Bool { name.hasSuffix("/hsip-secrets") }

    package init(_ process: Int32) {
        descriptor = hsip_process_open(process)
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/\(process)/exe", &bytes, bytes.count - 1)
        guard count > 0 else {
            (name, isReplaced) = ("process \(process)", false)
            return
        }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mark = " (deleted)"
        isReplaced = path.hasSuffix(mark)
        name = isReplaced ? String(path.dropLast(mark.count)) : path
    }

    /// Sends SIGTERM and waits for the end; false where it does not end in time, or belongs to another user.
    package borrowing func end(seconds: Int32) -> Bool {
        guard descriptor >= 0, hsip_process_signal(descriptor, SIGTERM) == 0 else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, seconds * 1_000) == 1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
