internal import CSystemd
internal import Glibc

/// A connection to a message bus, used by one thread.
@safe package final class Bus {
    let bus: OpaquePointer

    /// Connects to the system's bus, or to one at an address; nil where there is none.
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

    /// Connects to the bus of the user's session; nil where there is none.
    ///
    /// `DBUS_SESSION_BUS_ADDRESS` says where it is, else it is in the runtime folder.
    package static func session() -> Bus? {
        var bus: OpaquePointer?
        guard unsafe sd_bus_open_user(&bus) >= 0, let open = unsafe bus else { return nil }
        return unsafe Bus(owning: open)
    }

    private init(owning bus: OpaquePointer) { unsafe self.bus = bus }

    /// Poll it for `events`, at most `timeout` milliseconds (-1 for ever), then call `next` until it gives nil.
    package var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
    package var events: Int32 { unsafe sd_bus_get_events(bus) }

    /// The lowest number that a descriptor would get now, so that at least as many are open; nil where none is free.
    package var nextDescriptor: Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        close(copy)
        return copy
    }

    /// What came in.
    package enum Incoming {
        case message(BusMessage)
        /// Something was done that concerns only the connection.
        case nothing
        /// All is read.
        case empty
        case lost
    }

    /// What comes next: calls, signals, and answers to calls that were sent with `send`.
    package func next() -> Incoming {
        var message: OpaquePointer?
        let code = unsafe sd_bus_process(bus, &message)
        guard code >= 0 else { return .lost }
        guard code > 0 else { return .empty }
        guard let message = unsafe message else { return .nothing }
        return .message(unsafe BusMessage(owning: message))
    }

    /// Calls a method and waits for its answer, at most five seconds; nil for an error.
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

    /// Subscribes to the signals that fit a rule.
    package func listen(_ rule: String) -> Bool {
        call(Self.daemon, Self.daemonPath, Self.daemon, "AddMatch", [rule]) != nil
    }

    /// The bus itself, as a name, an interface and an object.
    package static let daemon = "org.freedesktop.DBus"
    package static let daemonPath = "/org/freedesktop/DBus"

    deinit { unsafe sd_bus_flush_close_unref(bus) }
}

extension Bus {
    /// What became of a wish for a name.
    package enum Naming: Equatable, Sendable {
        case owned
        /// Another connection has it, and keeps it.
        case taken
        case failed
    }

    /// Asks for a well-known name: without a place in its queue, and no other connection may take it over.
    package func own(_ name: String) -> Naming {
        switch unsafe sd_bus_request_name(bus, name, 0) {
        case 0...: .owned
        case -EEXIST: .taken
        default: .failed
        }
    }

    /// The unique name of the connection that has a name; nil where none has it.
    package func owner(of name: String) -> String? {
        call(Self.daemon, Self.daemonPath, Self.daemon, "GetNameOwner", [name])?.text()
    }

    /// The name that the bus gave this connection.
    package var ownName: String? {
        var name: UnsafePointer<CChar>?
        guard unsafe sd_bus_get_unique_name(bus, &name) >= 0, let name = unsafe name else { return nil }
        return unsafe String(cString: name)
    }

    /// The process that has a name; nil where none has it.
    package func process(of name: String) -> Int32? {
        call(Self.daemon, Self.daemonPath, Self.daemon, "GetConnectionUnixProcessID", [name])?.number()
            .map { Int32(bitPattern: $0) }
    }
}

extension Bus {
    /// Sends a message; false when it could not be written whole, or the connection is gone.
    @discardableResult
    package func send(_ message: BusMessage) -> Bool {
        guard !message.isBroken else { return false }
        return unsafe sd_bus_send(bus, message.message, nil) >= 0
    }

    /// Sends a call; its answer comes out of `next`, and `answers` there is the number that this returns.
    package func begin(_ message: BusMessage) -> UInt64? {
        guard !message.isBroken else { return nil }
        var cookie: UInt64 = 0
        return unsafe sd_bus_send(bus, message.message, &cookie) >= 0 ? cookie : nil
    }

    /// Answers a call; an answer that cannot be written becomes an error.
    package func answer(_ call: BusMessage, _ body: (BusMessage) -> Void = { _ in }) {
        guard call.wantsAnswer, let reply = BusMessage(answering: call) else { return }
        body(reply)
        guard !send(reply) else { return }
        refuse(call, .failed, "the answer cannot be written")
    }

    /// Answers a call with an error.
    package func refuse(_ call: BusMessage, _ error: BusError, _ text: String) {
        guard call.wantsAnswer, let reply = BusMessage(refusing: call, error, text) else { return }
        send(reply)
    }

    /// Waits until all that was sent has left.
    package func flush() { _ = unsafe sd_bus_flush(bus) }
}
