internal import Synchronization
package import System

/// Where the person looks: the display that a question appears on, else the terminal, and the language it may be in.
///
/// An agent often starts before there is a display, or outlives one, so a client can hand over its own. Anyone who
/// chooses the place sees what is typed there: only a client that has just shown the vault's passphrase may do that,
/// as it knew it already. A terminal is never one that a client names: it is the one that the kernel says it sits at.
package final class PromptPlace: Sendable {
    /// All of these come from one side or from the other, never mixed.
    private static let display = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS",
    ]
    private static let language = ["LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"]
    /// All that counts of a client which has shown no passphrase.
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
    ///   - own: what the agent was started with; a client that is adopted overrides display and terminal.
    ///   - terminal: where the agent was started, if it was at a terminal.
    ///   - showsWindows: false where the person wants questions at terminals only.
    package init(
        own: Environment = .process,
        terminal: ControllingTerminal? = nil,
        showsWindows: Bool = true
    ) {
        self.own = own
        start = terminal
        self.showsWindows = showsWindows
    }

    /// Shows the next questions where a client is that has just opened the vault: on its display, else at its
    /// terminal.
    ///
    /// A client without either changes nothing; a value of an unlikely form is left out.
    package func adopt(_ variables: [String: String], terminal: ControllingTerminal? = nil) {
        let names = Self.display + Self.language + ["TERM"]
        let fit = variables.filter { names.contains($0.key) && Self.isFit($0.key, $0.value) }
        let hasDisplay = fit["DISPLAY"] != nil || fit["WAYLAND_DISPLAY"] != nil
        guard hasDisplay || terminal != nil else { return }
        client.withLock { $0 = ClientTerminal(variables: fit, terminal: terminal) }
    }

    /// Shows the next questions at the terminal of a login, and nowhere else: its client has not shown the passphrase, so of
    /// what it says only the kind of terminal and the language count.
    package func adoptLogin(_ terminal: ControllingTerminal, _ variables: [String: String]) {
        let fit = variables.filter { Self.plain.contains($0.key) && Self.isFit($0.key, $0.value) }
        client.withLock { $0 = ClientTerminal(variables: fit, terminal: terminal) }
    }

    /// Back to the agent's own place.
    package func forget() {
        client.withLock { $0 = ClientTerminal() }
    }

    /// A Wayland or X display is there.
    package var hasDisplay: Bool { self["WAYLAND_DISPLAY"] != nil || self["DISPLAY"] != nil }

    /// The terminal to ask at where there is no display; nil when its session has ended.
    package var terminal: ControllingTerminal? {
        let theirs = current
        let terminal = theirs.isHanded ? theirs.terminal : start
        return terminal.flatMap { $0.isAlive ? $0 : nil }
    }

    /// What kind of terminal it is, for terminfo(5).
    var terminalType: String {
        let theirs = current
        return (theirs.isHanded ? theirs.variables["TERM"] : own["TERM"]) ?? "vt100"
    }

    /// A variable of the place; nil when it is unset or empty.
    package subscript(name: String) -> String? {
        let theirs = current
        if Self.display.contains(name) {
            guard showsWindows else { return nil }
            if theirs.isHanded { return theirs.variables[name] }
        }
        if Self.language.contains(name), let value = theirs.variables[name] { return value }
        return own[name]
    }

    /// What was handed over.
    ///
    /// A terminal whose session has ended takes its place with it.
    private var current: (variables: [String: String], terminal: ControllingTerminal?, isHanded: Bool) {
        client.withLock { client in
            let hasDisplay =
                client.variables["DISPLAY"] != nil || client.variables["WAYLAND_DISPLAY"] != nil
            if let terminal = client.terminal, !hasDisplay, !terminal.isAlive { client = ClientTerminal() }
            let isHanded = hasDisplay || client.terminal != nil
            return (client.variables, client.terminal, isHanded)
        }
    }

    /// The environment of a program that asks, with nothing that is not needed.
    ///
    /// - Parameters:
    ///   - further: variables that this one program needs besides.
    ///   - isTerminal: it asks at a terminal, and opens no window as well.
    /// - Returns: `NAME=value` each, sorted.
    func variables(_ further: [String: String] = [:], isTerminal: Bool = false) -> [String] {
        var all = further
        let windows = isTerminal ? [] : Self.display + ["XDG_RUNTIME_DIR", "XDG_SESSION_TYPE"]
        for name in windows + Self.language + ["HOME"] { all[name] = self[name] }
        all["PATH"] = own["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        if Self.language.allSatisfy({ all[$0] == nil }) { all["LC_ALL"] = "C.UTF-8" }
        return all.map { "\($0.key)=\($0.value)" }.sorted()
    }

    /// A program in the agent's own `$PATH`; a client has no say in it.
    func program(_ name: String) -> String? {
        ChildProcess.find(name, in: own)
    }

    /// The pinentry that fits: one for a terminal where there is no display, as not every other one falls back to it.
    package var pinentry: String? {
        let names = ["pinentry", "pinentry-curses", "pinentry-tty"]
        // What cannot move a cursor needs the one that only writes lines.
        let isDumb = !hasDisplay && ["dumb", "vt100", "unknown"].contains(terminalType)
        return (isDumb ? names.reversed() : names).lazy.compactMap { self.program($0) }.first
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
