internal import CSecretLoader
package import RecordStore

/// The session bus itself: what it knows of the Secret Service, without starting one.
package struct SessionBus: Sendable {
    /// The name of every Secret Service.
    package static let serviceName = "org.freedesktop.secrets"

    private let address: String

    /// - Parameter environment: The variables that lead to the bus.
    /// - Throws: `noSessionBus`, `noSecretLibrary`.
    package init(environment: [String: String]) throws(StoreError) {
        address = try BusAddress.find(in: environment)
        try SecretLibrary.load()
    }

    /// The process that serves now; nil where none does.
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

    /// Whether the bus names its clients by descriptors of their processes, which cannot be reused as numbers can.
    package func namesDescriptors() throws(StoreError) -> Bool {
        unsafe try ask { bus, waiting throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe hsip_bus_names_descriptors(bus, waiting.pointer, error) != 0
            }
        }
    }

    /// Lets the bus read again which programs it starts: it does not notice folders that are new.
    package func reload() throws(StoreError) {
        unsafe try ask { bus, waiting throws(StoreError) in
            unsafe try GLibFailure.check { error in unsafe hsip_bus_reload(bus, waiting.pointer, error) }
        }
    }

    /// Makes a call on a connection of its own; ten seconds at most.
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
