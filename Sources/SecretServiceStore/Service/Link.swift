internal import CSecretLoader
internal import RecordStore

/// libsecret's view of a service.
typealias ServiceProxy = UnsafeMutablePointer<CSecretLoader.SecretService>

/// A connection to the session bus, and the service on it; it never leaves the thread that made it.
///
/// The connection is our own, not the one that GLib shares: that one cannot be had again after the bus died,
/// and it ends the whole program then.
@safe final class Link {
    /// The service, with a session for the transport of secrets.
    let service: ServiceProxy
    private let bus: OpaquePointer
    private let events: OpaquePointer?
    /// Who answered at first: another owner of the name does not know our session.
    private let owner: String?
    /// Whether the service keeps what it has acknowledged; nil before it was asked.
    private var durability: Bool?

    /// Connects.
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

    /// Whether the same service still answers on the same bus.
    var isAlive: Bool {
        let calls = SecretLibrary.calls
        // Signals that came meanwhile: the bus tells who owns the name now.
        while unsafe calls.g_main_context_iteration(events, 0) != 0 {}
        guard unsafe calls.g_dbus_connection_is_closed(bus) == 0, let owner else { return false }
        return unsafe Self.owner(of: service) == owner
    }

    /// Whether what the service has acknowledged survives its being killed.
    ///
    /// That was seen of GNOME Keyring, which writes its file before it answers. KeePassXC may save when it ends, or some
    /// time after a change; nothing is known of others.
    func isDurable(_ waiting: Waiting) throws(StoreError) -> Bool {
        if let durability { return durability }
        let isGNOME = unsafe try GLibFailure.check { error in
            unsafe hsip_secret_is_also(service, "org.gnome.keyring", waiting.pointer, error) != 0
        }
        durability = isGNOME
        return isGNOME
    }

    /// The error for a missing object: it is gone, or the whole service is.
    var missing: StoreError { isAlive ? .notFound : .keyringDied }

    /// Opens the service in its present state, for reading its properties; the caller releases it.
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
            // Whatever is wrong with it, it is no bus that answers.
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

    /// The service, which must not be hsip's own: a vault that served its own keys would wait for itself.
    ///
    /// With `isOwn` it must be.
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
        // Without waiting for its end: a bus that hangs would keep us.
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
