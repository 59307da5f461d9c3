internal import Glibc
internal import MessageBus

/// logind, seen from a program that follows sleep and its user's sessions.
struct LoginManager {
    private static let name = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let object = "/org/freedesktop/login1"

    /// What a message means.
    enum Event: Equatable {
        case lock(LockReason)
        case sleep
        case wake
        /// logind itself went away.
        case lost
        case nothing
    }

    let bus: Bus
    private let user: UInt32
    private let ownSession: String?
    /// The sessions of this user, by object.
    private var sessions: Set<String> = []
    private var inhibitor: Int32 = -1
    /// logind's connection: any user of the machine may send signals to ours, beside those it listens to.
    private var sender: String?

    init(_ bus: Bus, user: UInt32 = geteuid()) {
        self.bus = bus
        self.user = user
        ownSession = unsafe getenv("XDG_SESSION_ID").map { unsafe String(cString: $0) }
    }

    var holdsSleep: Bool { inhibitor >= 0 }

    /// Asks to be told, looks which sessions there are, and makes sleep wait; false where logind does not
    /// answer.
    mutating func begin() -> Bool {
        let signals = "type='signal',sender='\(Self.name)'"
        let isHeard =
            bus.listen("\(signals),interface='\(Self.manager)'")
            && bus.listen("\(signals),interface='\(Self.session)'")
            && bus.listen(
                "\(signals),interface='org.freedesktop.DBus.Properties',path_namespace='\(Self.object)/session'"
            )
            && bus.listen(
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.name)'"
            )
        guard isHeard, let list = bus.call(Self.name, Self.object, Self.manager, "ListSessions"),
            list.enter("a", "(susso)")
        else { return false }
        sender = list.sender
        while list.enter("r", "susso") {
            list.skip("s")
            let owner = list.number()
            list.skip("ss")
            if let path = list.text("o"), owner == user { sessions.insert(path) }
            list.leave()
        }
        holdSleep()
        return true
    }

    /// Makes sleep wait for us.
    @discardableResult
    mutating func holdSleep() -> Bool {
        letSleep()
        let words = ["sleep", "HSIP Vault", "The vault is being locked", "delay"]
        inhibitor = bus.call(Self.name, Self.object, Self.manager, "Inhibit", words)?.descriptor() ?? -1
        return holdsSleep
    }

    /// Sleep may come.
    mutating func letSleep() {
        if inhibitor >= 0 { close(inhibitor) }
        inhibitor = -1
    }

    /// What a signal tells; nothing unless it comes from logind, or from the bus.
    mutating func read(_ message: BusMessage) -> Event {
        if message.sender == Bus.daemon {
            let isLost = message.isSignal(Bus.daemon, "NameOwnerChanged") && message.text() == Self.name
            return isLost ? .lost : .nothing
        }
        guard let sender, message.sender == sender else { return .nothing }
        if message.isSignal(Self.manager, "PrepareForSleep") {
            return message.bool().map { $0 ? .sleep : .wake } ?? .nothing
        }
        if message.isSignal(Self.manager, "SessionNew") {
            if message.text() != nil, let path = message.text("o"), isOurs(path) { sessions.insert(path) }
            return .nothing
        }
        if message.isSignal(Self.manager, "SessionRemoved") { return removed(message) }
        if message.isSignal(Self.session, "Lock") { return isKnown(message) ? .lock(.screen) : .nothing }
        if message.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") {
            return isKnown(message) && saysLocked(message) ? .lock(.screen) : .nothing
        }
        return .nothing
    }

    private func isKnown(_ message: BusMessage) -> Bool { message.path.map(sessions.contains) ?? false }

    /// The session that this agent belongs to, or the last one of its user, ended.
    private mutating func removed(_ message: BusMessage) -> Event {
        guard let name = message.text(), let path = message.text("o"), sessions.remove(path) != nil else {
            return .nothing
        }
        return sessions.isEmpty || name == ownSession ? .lock(.session) : .nothing
    }

    private func isOurs(_ path: String) -> Bool {
        let words = [Self.session, "User"]
        guard let reply = bus.call(Self.name, path, "org.freedesktop.DBus.Properties", "Get", words),
            reply.enter("v", "(uo)"), reply.enter("r", "uo")
        else { return false }
        return reply.number() == user
    }

    /// `LockedHint` became true.
    private func saysLocked(_ message: BusMessage) -> Bool {
        guard message.text() == Self.session, message.enter("a", "{sv}") else { return false }
        while message.enter("e", "sv") {
            if message.text() == "LockedHint", message.enter("v", "b") { return message.bool() ?? false }
            message.skip("v")
            message.leave()
        }
        return false
    }
}
