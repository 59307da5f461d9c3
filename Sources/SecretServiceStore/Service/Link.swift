internal import CSecretLoader
internal import RecordStore

/// libsecret's proxy of a service.
typealias ServiceProxy = UnsafeMutablePointer<CSecretLoader.SecretService>

/// A connection to the session bus, and the service on it, used only by the thread that made it.
///
/// The connection is private. GLib's shared connection cannot be opened again after the bus died, and it ends the whole
/// program then.
@safe final class Link {
    /// The proxy of the service, with a session for the transport of secrets.
    let service: ServiceProxy
    private let bus: OpaquePointer
    private let events: OpaquePointer?
    /// The bus name of the service that answered first: another owner of the service's name does not know this session.
    private let owner: String?
    /// Whether acknowledged changes survive a kill of the service; nil before the check.
    private var durability: Bool?

    /// Connects to the bus, and opens a session with the service.
    ///
    /// - Throws: `noSessionBus`, `noSecretService`, `ownProvider`, `keyringRefused`, `cancelled`.
    init(address: String, isOwn: Bool = false, _ waiting: Waiting) throws(StoreError) {
        let calls = SecretLibrary.calls
        let events = unsafe calls.g_main_context_new()
        unsafe calls.g_main_context_push_thread_default(events)
        do throws(StoreError) {
            let bus = unsafe try Self.connect(address, waiting)
            do throws(StoreError) {
                unsafe service = try Self.open(bus, isOwn: isOwn, waiting)
            } catch {
                unsafe Self.close(bus)
                throw error
            }
            unsafe (self.bus, self.events) = (bus, events)
            unsafe owner = Self.owner(of: service)
        } catch {
            unsafe Self.leave(events)
            throw error
        }
    }

    /// True if the service of the start still owns the name on an open connection.
    var isAlive: Bool {
        let calls = SecretLibrary.calls
        // Handle the signals since the last call: the bus reports a new owner of the name.
        while unsafe calls.g_main_context_iteration(events, 0) != 0 {}
        guard unsafe calls.g_dbus_connection_is_closed(bus) == 0, let owner else { return false }
        return unsafe Self.owner(of: service) == owner
    }

    /// Returns whether acknowledged changes survive a kill of the service.
    ///
    /// Tests showed this for GNOME Keyring, which writes its file before it answers. KeePassXC may save at its end, or some
    /// time after a change. Other services are unknown, and count as not durable.
    func isDurable(_ waiting: Waiting) throws(StoreError) -> Bool {
        if let durability { return durability }
        let isGNOME = unsafe try GLibFailure.check { error in
            unsafe hsip_secret_is_also(service, "org.gnome.keyring", waiting.pointer, error) != 0
        }
        durability = isGNOME
        return isGNOME
    }

    /// The error for a missing object: `notFound`, or `keyringDied` if the service has ended.
    var missing: StoreError { isAlive ? .notFound : .keyringDied }

    /// Opens a new proxy to read the service's present properties; the caller releases it.
    func look(_ waiting: Waiting) throws(StoreError) -> ServiceProxy {
        unsafe try Self.open(bus, session: false, waiting)
    }

    static func connect(_ address: String, _ waiting: Waiting) throws(StoreError) -> OpaquePointer {
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        do throws(StoreError) {
            let bus = unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.g_dbus_connection_new_for_address_sync(
                    address,
                    flags,
                    nil,
                    waiting.pointer,
                    error
                )
            }
            if let bus = unsafe bus { return unsafe bus }
        } catch .cancelled {
            throw .cancelled
        } catch {
            // Every other error means that no bus answers at this address.
        }
        throw .noSessionBus
    }

    private static func open(
        _ bus: OpaquePointer,
        session: Bool,
        _ waiting: Waiting
    ) throws(StoreError) -> ServiceProxy {
        let service = unsafe try GLibFailure.check { error in
            unsafe hsip_secret_service(bus, session ? 1 : 0, waiting.pointer, error)
        }
        guard let service = unsafe service else { throw .noSecretService }
        return unsafe service
    }

    /// Opens a session, and refuses hsip's own service, because a vault that serves its own keys would wait for itself.
    ///
    /// With `isOwn` it refuses every other service.
    private static func open(
        _ bus: OpaquePointer,
        isOwn: Bool,
        _ waiting: Waiting
    ) throws(StoreError) -> ServiceProxy {
        let service = unsafe try open(bus, session: true, waiting)
        do throws(StoreError) {
            let found = unsafe try GLibFailure.check { error in
                unsafe hsip_secret_is_own(service, waiting.pointer, error) != 0
            }
            guard found == isOwn else { throw found ? .ownProvider : .noSecretService }
            return unsafe service
        } catch {
            unsafe SecretLibrary.calls.g_object_unref(service)
            throw error
        }
    }

    static func close(_ bus: OpaquePointer) {
        let calls = SecretLibrary.calls
        // Close without waiting, because a bus that hangs would block this thread.
        unsafe calls.g_dbus_connection_close(bus, nil, nil, nil)
        unsafe calls.g_object_unref(UnsafeMutableRawPointer(bus))
    }

    private static func owner(of service: ServiceProxy) -> String? {
        let proxy = unsafe UnsafeMutableRawPointer(service).assumingMemoryBound(to: GDBusProxy.self)
        guard let name = unsafe SecretLibrary.calls.g_dbus_proxy_get_name_owner(proxy) else { return nil }
        defer { unsafe SecretLibrary.calls.g_free(name) }
        return unsafe String(cString: name)
    }

    private static func leave(_ events: OpaquePointer?) {
        let calls = SecretLibrary.calls
        unsafe calls.g_main_context_pop_thread_default(events)
        unsafe calls.g_main_context_unref(events)
    }

    deinit {
        let calls = SecretLibrary.calls
        unsafe calls.g_object_unref(service)
        unsafe Self.close(bus)
        unsafe Self.leave(events)
    }
}
