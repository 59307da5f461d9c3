internal import CSystemd
internal import Glibc

/// A connection to a message bus, used by one thread.
@safe package final class Bus {
    let bus: OpaquePointer

    /// Connects to the system bus, or to the bus at an address; nil on failure.
    package init?(address: String? = nil) {
        var bus: OpaquePointer?
        if let address {
            guard unsafe sd_bus_new(&bus) >= 0, let fresh = unsafe bus else { return nil }
            guard unsafe sd_bus_set_address(fresh, address) >= 0, unsafe sd_bus_set_bus_client(fresh, 1) >= 0,
                unsafe sd_bus_negotiate_fds(fresh, 1) >= 0, unsafe sd_bus_start(fresh) >= 0
            else {
                unsafe sd_bus_unref(fresh)
                return nil
            }
            unsafe self.bus = fresh
        } else {
            guard unsafe sd_bus_open_system(&bus) >= 0, let open = unsafe bus else { return nil }
            unsafe self.bus = open
        }
    }

    /// Connects to the session bus of the user; nil on failure.
    ///
    /// Its address is in `DBUS_SESSION_BUS_ADDRESS`; otherwise its socket is in the runtime folder.
    package static func session() -> Bus? {
        var bus: OpaquePointer?
        guard unsafe sd_bus_open_user(&bus) >= 0, let open = unsafe bus else { return nil }
        return unsafe Bus(owning: open)
    }

    private init(owning bus: OpaquePointer) { unsafe self.bus = bus }

    /// The descriptor to poll for `events`, for at most `timeout` milliseconds (-1: no limit).
    ///
    /// Then call `next` until it returns `empty`.
    package var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
    package var events: Int32 { unsafe sd_bus_get_events(bus) }

    /// The lowest free descriptor number, below which all are open; nil if none is free.
    package var nextDescriptor: Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        close(copy)
        return copy
    }

    /// The result of reading from the bus.
    package enum Incoming {
        case message(BusMessage)
        /// Something was processed that concerns only the connection.
        case nothing
        /// Everything has been read.
        case empty
        case lost
    }

    /// Returns the next message: a call, a signal, or a response to a call that `begin` sent.
    package func next() -> Incoming {
        var message: OpaquePointer?
        let code = unsafe sd_bus_process(bus, &message)
        guard code >= 0 else { return .lost }
        guard code > 0 else { return .empty }
        guard let message = unsafe message else { return .nothing }
        return .message(unsafe BusMessage(owning: message))
    }

    /// Calls a method and waits at most five seconds for the response; nil on an error.
    package func call(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ method: String,
        _ texts: [String] = []
    ) -> BusMessage? {
        guard let message = BusMessage(to: self, destination, path, interface, method) else { return nil }
        for text in texts { guard message.append(text) else { return nil } }
        var reply: OpaquePointer?
        let code = unsafe sd_bus_call(bus, message.message, 5_000_000, nil, &reply)
        guard code >= 0, let reply = unsafe reply else { return nil }
        return unsafe BusMessage(owning: reply)
    }

    /// Subscribes to the signals that match a rule.
    package func listen(_ rule: String) -> Bool {
        call(Self.daemon, Self.daemonPath, Self.daemon, "AddMatch", [rule]) != nil
    }

    /// The bus daemon, as a name, an interface and an object.
    package static let daemon = "org.freedesktop.DBus"
    package static let daemonPath = "/org/freedesktop/DBus"

    deinit { unsafe sd_bus_flush_close_unref(bus) }
}

extension Bus {
    /// The result of a request for a name.
    package enum Naming: Equatable, Sendable {
        case owned
        /// Another connection owns the name and keeps it.
        case taken
        case failed
    }

    /// Requests a well-known name; it does not queue, and no other connection may replace this one.
    package func own(_ name: String) -> Naming {
        switch unsafe sd_bus_request_name(bus, name, 0) {
        case 0...: .owned
        case -EEXIST: .taken
        default: .failed
        }
    }

    /// Returns the unique name of the owner of a name; nil if it has no owner.
    package func owner(of name: String) -> String? {
        call(Self.daemon, Self.daemonPath, Self.daemon, "GetNameOwner", [name])?.text()
    }

    /// The unique name that the bus gave this connection.
    package var ownName: String? {
        var name: UnsafePointer<CChar>?
        guard unsafe sd_bus_get_unique_name(bus, &name) >= 0, let name = unsafe name else { return nil }
        return unsafe String(cString: name)
    }

    /// Returns the process of a name's owner; nil if it has no owner.
    package func process(of name: String) -> Int32? {
        call(Self.daemon, Self.daemonPath, Self.daemon, "GetConnectionUnixProcessID", [name])?.number()
            .map { Int32(bitPattern: $0) }
    }
}

extension Bus {
    /// Sends a message; returns false if it could not be written completely, or the connection has ended.
    @discardableResult
    package func send(_ message: BusMessage) -> Bool {
        guard !message.isBroken else { return false }
        return unsafe sd_bus_send(bus, message.message, nil) >= 0
    }

    /// Sends a call and returns its number; the response arrives in `next`, with this number in `answers`.
    package func begin(_ message: BusMessage) -> UInt64? {
        guard !message.isBroken else { return nil }
        var cookie: UInt64 = 0
        return unsafe sd_bus_send(bus, message.message, &cookie) >= 0 ? cookie : nil
    }

    /// Responds to a call; a response that cannot be written becomes an error.
    package func answer(_ call: BusMessage, _ body: (BusMessage) -> Void = { _ in }) {
        guard call.wantsAnswer, let reply = BusMessage(answering: call) else { return }
        body(reply)
        guard !send(reply) else { return }
        refuse(call, .failed, "the answer cannot be written")
    }

    /// Responds to a call with an error.
    package func refuse(_ call: BusMessage, _ error: BusError, _ text: String) {
        guard call.wantsAnswer, let reply = BusMessage(refusing: call, error, text) else { return }
        send(reply)
    }

    /// Waits until all sent messages have left.
    package func flush() { _ = unsafe sd_bus_flush(bus) }
}
