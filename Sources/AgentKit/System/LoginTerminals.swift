internal import Glibc
internal import MessageBus

/// Which terminals belong to a login, as logind knows it.
///
/// A terminal that a program made for itself is none: the first process of its session was started by that program. At
/// a login it was started by the process that logind has as the leader of one of this user's sessions (login, or sshd
/// before it gave up its rights), or by a child of that (sshd after it gave them up). Only sessions in which a person logs in
/// count: not those of cron, of a user's service manager, or of a screen that waits for a login.
package struct LoginTerminals: Sendable {
    private static let name = "org.freedesktop.login1"
    private static let object = "/org/freedesktop/login1"
    /// Classes of a person's sessions (pam_systemd(8)).
    private static let classes = ["user", "user-early", "user-light"]

    private let address: String?

    /// - Parameter address: of a bus; nil for the system's.
    package init(address: String? = nil) { self.address = address }

    /// Whether a terminal is one of them; false where logind does not answer.
    package func know(_ terminal: ControllingTerminal) -> Bool {
        let starters = terminal.starters
        guard !starters.isEmpty, let bus = Bus(address: address),
            let list = bus.call(Self.name, Self.object, Self.name + ".Manager", "ListSessions"),
            list.enter("a", "(susso)")
        else { return false }
        var sessions: [String] = []
        while list.enter("r", "susso") {
            list.skip("s")
            let user = list.number()
            list.skip("ss")
            if let path = list.text("o"), user == geteuid() { sessions.append(path) }
            list.leave()
        }
        return sessions.contains { path in
            guard let leader = property(of: path, "Leader", "u", bus)?.number(),
                let state = property(of: path, "State", "s", bus)?.text(),
                let kind = property(of: path, "Class", "s", bus)?.text(),
                let line = property(of: path, "TTY", "s", bus)?.text()
            else { return false }
            // A session that is closing has lost its leader, and another process may have the number.
            return starters.contains(Int32(bitPattern: leader)) && ["active", "online"].contains(state)
                && Self.classes.contains(kind) && Self.isTerminal(line, terminal.path) && terminal.isAlive
        }
    }

    /// Whether a session's terminal is this one; logind leaves `/dev/` out.
    ///
    /// A session of sshd has none there: sshd makes the terminal after the session.
    private static func isTerminal(_ line: String, _ path: String) -> Bool {
        line.isEmpty || line == path || "/dev/" + line == path
    }

    private func property(of path: String, _ property: String, _ type: String, _ bus: Bus) -> BusMessage? {
        let words = [Self.name + ".Session", property]
        guard let reply = bus.call(Self.name, path, "org.freedesktop.DBus.Properties", "Get", words),
            reply.enter("v", type)
        else { return nil }
        return reply
    }
}
