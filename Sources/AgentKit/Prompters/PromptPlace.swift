internal import Synchronization
package import System

/// The display or the terminal on which questions appear, and the language of the questions.
///
/// An agent often starts before the display, or outlives it, so a client can hand over its own. The program that
/// chooses the place sees what is typed there. So only a client that has just given the vault's passphrase may choose it, as it
/// knew the passphrase already. A client never names a terminal: the kernel says which terminal the client has.
package final class PromptPlace: Sendable {
    /// These variables come all from the agent or all from the client, never mixed.
    private static let display = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
    ]
    private static let language = ["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]
    /// The only variables used from a client that has not given the passphrase.
    private static let plain = ["TERM", "LANG"]

    private struct ClientTerminal {
        var variables: [String: String] = [:]
        var terminal: ControllingTerminal?
    }

    private let own: Environment
    private let showsWindows: Bool
    private let start: ControllingTerminal?
    private let client = Mutex(ClientTerminal())

    /// The place that the agent's own environment names.
    ///
    /// - Parameters:
    ///   - own: the agent's environment; an adopted client overrides display and terminal.
    ///   - terminal: the terminal where the agent was started, if any.
    ///   - showsWindows: false if the person wants questions at terminals only.
    package init(
        own: Environment = .process,
        terminal: ControllingTerminal? = nil,
        showsWindows: Bool = true
    ) {
        self.own = own
        start = terminal
        self.showsWindows = showsWindows
    }

    /// Shows the next questions on the display, else at the terminal, of a client that has just opened the vault.
    ///
    /// A client that has neither changes nothing. A value of an unlikely form is left out.
    package func adopt(_ variables: [String: String], terminal: ControllingTerminal? = nil) {
        let names = Self.display + Self.language + ["TERM"]
        let fit = variables.filter { names.contains($0.key) && Self.isFit($0.key, $0.value) }
        let hasDisplay = fit["DISPLAY"] != nil || fit["WAYLAND_DISPLAY"] != nil
        guard hasDisplay || terminal != nil else { return }
        client.withLock { $0 = ClientTerminal(variables: fit, terminal: terminal) }
    }

    /// Shows the next questions at the terminal of a login, and nowhere else.
    ///
    /// The client has not given the passphrase, so only its kind of terminal and its language are used.
    package func adoptLogin(_ terminal: ControllingTerminal, _ variables: [String: String]) {
        let fit = variables.filter { Self.plain.contains($0.key) && Self.isFit($0.key, $0.value) }
        client.withLock { $0 = ClientTerminal(variables: fit, terminal: terminal) }
    }

    /// Goes back to the agent's own place.
    package func forget() {
        client.withLock { $0 = ClientTerminal() }
    }

    /// Whether the place has a Wayland or X display.
    package var hasDisplay: Bool { self["WAYLAND_DISPLAY"] != nil || self["DISPLAY"] != nil }

    /// The terminal to ask at if the place has no display; nil if its session has ended.
    package var terminal: ControllingTerminal? {
        let theirs = current
        let terminal = theirs.isHanded ? theirs.terminal : start
        return terminal.flatMap { $0.isAlive ? $0 : nil }
    }

    /// The kind of the terminal, for terminfo(5).
    var terminalType: String {
        let theirs = current
        return (theirs.isHanded ? theirs.variables["TERM"] : own["TERM"]) ?? "vt100"
    }

    /// A variable of the place; nil if it is unset or empty.
    package subscript(name: String) -> String? {
        let theirs = current
        if Self.display.contains(name) {
            guard showsWindows else { return nil }
            if theirs.isHanded { return theirs.variables[name] }
        }
        if Self.language.contains(name), let value = theirs.variables[name] { return value }
        return own[name]
    }

    /// The place that a client handed over.
    ///
    /// When the session of its terminal has ended, the place is forgotten, unless it has a display.
    private var current: (variables: [String: String], terminal: ControllingTerminal?, isHanded: Bool) {
        client.withLock { client in
            let hasDisplay =
                client.variables["DISPLAY"] != nil || client.variables["WAYLAND_DISPLAY"] != nil
            if let terminal = client.terminal, !hasDisplay, !terminal.isAlive { client = ClientTerminal() }
            let isHanded = hasDisplay || client.terminal != nil
            return (client.variables, client.terminal, isHanded)
        }
    }

    /// The environment of a program that asks, with only the variables that it needs.
    ///
    /// - Parameters:
    ///   - further: more variables that this program needs.
    ///   - isTerminal: whether the program asks at a terminal, and must not open a window.
    /// - Returns: `NAME=value` for each variable, sorted.
    func variables(_ further: [String: String] = [:], isTerminal: Bool = false) -> [String] {
        var all = further
        let windows = isTerminal ? [] : Self.display + ["XDG_RUNTIME_DIR", "XDG_SESSION_TYPE"]
        for name in windows + Self.language + ["HOME"] { all[name] = self[name] }
        all["PATH"] = own["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        if Self.language.allSatisfy({ all[$0] == nil }) { all["LC_ALL"] = "C.UTF-8" }
        return all.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// The path of a program in the agent's own `$PATH`, which a client cannot change.
    func program(_ name: String) -> String? {
        ChildProcess.find(name, in: own)
    }

    /// The path of the pinentry that fits the place; nil if none is installed.
    package var pinentry: String? {
        let names = ["pinentry", "pinentry-curses", "pinentry-tty"]
        // A terminal that cannot move its cursor needs the pinentry that only writes lines.
        let isDumb = !hasDisplay && ["dumb", "vt100", "unknown"].contains(terminalType)
        return (isDumb ? names.reversed() : names).lazy.compactMap { self.program($0) }.first
    }

    /// A setting of the agent's own environment, which a client cannot change.
    func setting(_ name: String) -> String? {
        own[name]
    }

    private static func isFit(_ name: String, _ value: String) -> Bool {
        guard !value.isEmpty, value.utf8.count <= 256, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            return false
        }
        switch name {
        // A display of this machine, or a display that sshd forwards; not a display elsewhere in the network.
        case "DISPLAY": return value.hasPrefix(":") || value.hasPrefix("localhost:")
        case "WAYLAND_DISPLAY": return value.hasPrefix("/") || !value.contains("/")
        case "XAUTHORITY": return value.hasPrefix("/")
        case "DBUS_SESSION_BUS_ADDRESS": return value.hasPrefix("unix:")
        default: return value.utf8.allSatisfy { $0 != 0x2F }
        }
    }
}
