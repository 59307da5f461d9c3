internal import CSystemd
internal import Glibc

/// A connection to the system's message bus, used by one thread.
@safe final class Bus {
    private let bus: OpaquePointer

    /// Connects to the system's bus, or to one at an address.
    init?(address: String? = nil) {
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

    /// Poll it for `events`, at most `timeout` milliseconds (-1 for ever), then call `next` until it gives nil.
    var descriptor: Int32 { unsafe sd_bus_get_fd(bus) }
    var events: Int32 { unsafe sd_bus_get_events(bus) }

    /// What came in.
    enum Incoming {
        case message(BusMessage)
        /// Something was done that concerns only the connection.
        case nothing
        /// All is read.
        case empty
        case lost
    }

    func next() -> Incoming {
        var message: OpaquePointer?
        let code = unsafe sd_bus_process(bus, &message)
        guard code >= 0 else { return .lost }
        guard code > 0 else { return .empty }
        guard let message = unsafe message else { return .nothing }
        return .message(unsafe BusMessage(owning: message))
    }

    /// Calls a method and waits for its answer, at most five seconds; nil for an error.
    func call(
        _ destination: String,
        _ path: String,
        _ interface: String,
        _ method: String,
        _ texts: [String] = []
    ) -> BusMessage? {
        var call: OpaquePointer?
        guard unsafe sd_bus_message_new_method_call(bus, &call, destination, path, interface, method) >= 0,
            let call = unsafe call
        else { return nil }
        let message = unsafe BusMessage(owning: call)
        for text in texts { guard message.append(text) else { return nil } }
        var reply: OpaquePointer?
        let code = unsafe sd_bus_call(bus, call, 5_000_000, nil, &reply)
        guard code >= 0, let reply = unsafe reply else { return nil }
        return unsafe BusMessage(owning: reply)
    }

    /// Wants to hear the signals that fit a rule.
    func listen(_ rule: String) -> Bool {
        let bus = "org.freedesktop.DBus"
        return call(bus, "/org/freedesktop/DBus", bus, "AddMatch", [rule]) != nil
    }

    deinit { unsafe sd_bus_flush_close_unref(bus) }
}
