package import Programs
internal import Synchronization

/// Where the person looks: the display that a question appears on, and the language it may be in.
///
/// An agent often starts before there is a display, or outlives one, so a client can hand over its own. Whoever
/// chooses the display sees what is typed there: only a client that has just opened the vault may do that, as it
/// knew the passphrase already.
package final class PromptPlace: Sendable {
    /// All of these come from one side or from the other, never mixed.
    private static let display = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
    ]
    private static let language = ["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]

    private let own: Environment
    private let handed = Mutex<[String: String]>([:])

    /// The place that the agent's own environment names.
    package init(own: Environment = .process) {
        self.own = own
    }

    /// Shows the next questions where a client is that has just opened the vault.
    ///
    /// A set without a display changes nothing; a value of an unlikely form is left out.
    package func adopt(_ variables: [String: String]) {
        let fit = variables.filter {
            (Self.display + Self.language).contains($0.key) && Self.isFit($0.key, $0.value)
        }
        guard fit["DISPLAY"] != nil || fit["WAYLAND_DISPLAY"] != nil else { return }
        handed.withLock { $0 = fit }
    }

    /// Back to the agent's own place.
    package func forget() {
        handed.withLock { $0 = [:] }
    }

    /// A Wayland or X display is there.
    package var hasDisplay: Bool { self["WAYLAND_DISPLAY"] != nil || self["DISPLAY"] != nil }

    /// A variable of the place; nil when it is unset or empty.
    package subscript(name: String) -> String? {
        let theirs = handed.withLock { $0 }
        if Self.display.contains(name), !theirs.isEmpty { return theirs[name] }
        if Self.language.contains(name), let value = theirs[name] { return value }
        return own[name]
    }

    /// The environment of a program that asks: `NAME=value` each, nothing that is not needed.
    func variables(_ further: [String: String] = [:]) -> [String] {
        var all = further
        for name in Self.display + Self.language + ["XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "HOME"] {
            all[name] = self[name]
        }
        all["PATH"] = own["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        if Self.language.allSatisfy({ all[$0] == nil }) { all["LC_ALL"] = "C.UTF-8" }
        return all.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// A program in the agent's own `$PATH`; a client has no say in it.
    func program(_ name: String) -> String? {
        ChildProcess.find(name, in: own)
    }

    /// A setting of the agent's own environment, which a client has no say in.
    func setting(_ name: String) -> String? {
        own[name]
    }

    private static func isFit(_ name: String, _ value: String) -> Bool {
        guard !value.isEmpty, value.utf8.count <= 256, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            return false
        }
        switch name {
        // A display of this machine, or one that sshd forwards; not one somewhere in the network.
        case "DISPLAY": return value.hasPrefix(":") || value.hasPrefix("localhost:")
        case "WAYLAND_DISPLAY": return value.hasPrefix("/") || !value.contains("/")
        case "XAUTHORITY": return value.hasPrefix("/")
        case "DBUS_SESSION_BUS_ADDRESS": return value.hasPrefix("unix:")
        default: return value.utf8.allSatisfy { $0 != 0x2F }
        }
    }
}
