internal import CSecretLoader
internal import Files
internal import Glibc
package import RecordStore

/// The session bus itself, which is asked about the Secret Service without starting one.
package struct SessionBus: Sendable {
    /// The name of every Secret Service.
    package static let serviceName = "org.freedesktop.secrets"

    private let address: String

    /// Finds the address of the bus, and loads libsecret.
    ///
    /// - Parameter environment: The variables with the address of the bus.
    /// - Throws: `noSessionBus`, `noSecretLibrary`.
    package init(environment: [String: String]) throws(StoreError) {
        address = try BusAddress.find(in: environment)
        try SecretLibrary.load()
    }

    /// Returns the process that owns the name of the Secret Service; nil if no process does.
    ///
    /// - Throws: `noSessionBus`, `keyringTimeout`, `keyringRefused`.
    package func holder() throws(StoreError) -> Int32? {
        unsafe try ask { bus, waiting throws(StoreError) in
            let process = unsafe try GLibFailure.check { error in
                unsafe hsip_bus_holder(bus, Self.serviceName, waiting.pointer, error)
            }
            return process == 0 ? nil : Int32(exactly: process)
        }
    }

    /// Returns whether the bus identifies its clients by pidfds, which are not reused like process numbers.
    package func namesDescriptors() throws(StoreError) -> Bool {
        unsafe try ask { bus, waiting throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe hsip_bus_names_descriptors(bus, waiting.pointer, error) != 0
            }
        }
    }

    /// Makes the bus read its service files again, because it does not notice new folders.
    package func reload() throws(StoreError) {
        unsafe try ask { bus, waiting throws(StoreError) in
            unsafe try GLibFailure.check { error in unsafe hsip_bus_reload(bus, waiting.pointer, error) }
        }
    }

    /// Makes a call on a new connection, within ten seconds.
    private func ask<R: Sendable>(
        _ call: @escaping @Sendable (OpaquePointer, Waiting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let (waiting, answer) = (Waiting(mayAsk: false), Answer<R>())
        try Worker().add { [address] _ in
            do throws(StoreError) {
                let bus = unsafe try Link.connect(address, waiting)
                defer { unsafe Link.close(bus) }
                answer.set(.success(unsafe try call(bus, waiting)))
            } catch {
                answer.set(.failure(waiting.reason ?? error))
            }
            waiting.finish()
        }
        guard waiting.wait(.script), let result = answer.take() else {
            throw waiting.reason ?? .keyringTimeout
        }
        return try result.get()
    }
}

/// Finds the address of the session bus.
///
/// GLib would start a new bus if none runs, so this search comes first: a vault on a bus that no other program uses is worse
/// than an error.
enum BusAddress {
    /// Returns the address in D-Bus notation.
    ///
    /// - Throws: `noSessionBus`.
    static func find(in environment: [String: String]) throws(StoreError) -> String {
        let given = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let usable = given.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
        if !usable.isEmpty { return usable.joined(separator: ";") }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else {
            throw .noSessionBus
        }
        let socket = runtime + "/bus"
        guard FileFacts(at: socket, followsLinks: true)?.isSocket == true else { throw .noSessionBus }
        return "unix:path=" + escape(socket)
    }

    /// Escapes a text for an address: each byte that is not allowed in plain form becomes `%` and two digits.
    private static func escape(_ text: String) -> String {
        let plain = Set("-0123456789_/.\\*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let digits = Array("0123456789abcdef".utf8)
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
