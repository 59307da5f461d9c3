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

    /// Wants to hear the signals that fit a rule.
    package func listen(_ rule: String) -> Bool {
        call(Self.daemon, Self.daemonPath, Self.daemon, "AddMatch", [rule]) != nil
    }

    /// The bus itself, as a name, an interface and an object.
    package static let daemon = "org.freedesktop.DBus"
    package static let daemonPath = "/org/freedesktop/DBus"

    deinit { unsafe sd_bus_flush_close_unref(bus) }
}
