internal import CSystemd
internal import Glibc

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
