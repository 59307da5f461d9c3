internal import CSecretLoader
internal import RecordStore

/// libsecret, loaded when it is first asked for and then kept until the program ends.
///
/// Every function of it and of GLib is called through its table, so the program itself is linked to neither.
enum SecretLibrary {
    /// The file name of every libsecret since 2012.
    static let name = "libsecret-1.so.0"

    /// Loads the library, once.
    ///
    /// - Throws: `noSecretLibrary`.
    static func load(_ library: String = name) throws(StoreError) {
        guard library == name ? isHere : unsafe hsip_secret_load(library) != 0 else {
            throw .noSecretLibrary
        }
    }

    /// The functions; only after `load`.
    static var calls: hsip_secret { unsafe hsip_secret_table().pointee }

    private static let isHere = unsafe hsip_secret_load(name) != 0
}

/// The one place where errors of GLib, of D-Bus and of libsecret become errors of a store.
///
/// Their texts are dropped: a service may put anything into them.
enum GLibFailure {
    /// Runs a call of libsecret and turns its error into ours.
    static func check<R>(
        _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> R
    ) throws(StoreError) -> R {
        var error: UnsafeMutablePointer<GError>?
        let result = unsafe call(&error)
        guard let error = unsafe error else { return result }
        defer { unsafe SecretLibrary.calls.g_error_free(error) }
        throw unsafe meaning(domain: error.pointee.domain, code: error.pointee.code)
    }

    /// The meaning of an error during a session.
    ///
    /// `notFound` means a missing object; `cancelled` that the store ended the call itself.
    private static func meaning(domain: GQuark, code: gint) -> StoreError {
        let calls = SecretLibrary.calls
        return switch domain {
        case calls.g_dbus_error_quark(): bus(code)
        case calls.g_io_error_quark(): stream(code)
        case calls.secret_error_get_quark(): service(code)
        case hsip_secret_prompt_error():
            code == hsip_secret_dismissed.rawValue ? .promptDismissed : .keyringLocked
        default: .keyringRefused(code: code)
        }
    }

    private static func bus(_ code: gint) -> StoreError {
        switch GDBusError(rawValue: GDBusError.RawValue(code)) {
        case G_DBUS_ERROR_SERVICE_UNKNOWN, G_DBUS_ERROR_NAME_HAS_NO_OWNER, G_DBUS_ERROR_SPAWN_EXEC_FAILED,
            G_DBUS_ERROR_SPAWN_FORK_FAILED, G_DBUS_ERROR_SPAWN_CHILD_EXITED,
            G_DBUS_ERROR_SPAWN_CHILD_SIGNALED, G_DBUS_ERROR_SPAWN_FAILED, G_DBUS_ERROR_SPAWN_SETUP_FAILED,
            G_DBUS_ERROR_SPAWN_CONFIG_INVALID, G_DBUS_ERROR_SPAWN_SERVICE_INVALID,
            G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, G_DBUS_ERROR_SPAWN_PERMISSIONS_INVALID,
            G_DBUS_ERROR_SPAWN_FILE_INVALID, G_DBUS_ERROR_SPAWN_NO_MEMORY:
            .noSecretService
        case G_DBUS_ERROR_NO_REPLY, G_DBUS_ERROR_DISCONNECTED: .keyringDied
        case G_DBUS_ERROR_TIMEOUT, G_DBUS_ERROR_TIMED_OUT: .keyringTimeout
        case G_DBUS_ERROR_UNKNOWN_OBJECT, G_DBUS_ERROR_UNKNOWN_METHOD, G_DBUS_ERROR_UNKNOWN_INTERFACE:
            .notFound
        case G_DBUS_ERROR_NO_MEMORY: .outOfMemory
        default: .keyringRefused(code: code)
        }
    }

    private static func stream(_ code: gint) -> StoreError {
        switch GIOErrorEnum(rawValue: GIOErrorEnum.RawValue(code)) {
        case G_IO_ERROR_CANCELLED: .cancelled
        case G_IO_ERROR_CLOSED, G_IO_ERROR_BROKEN_PIPE, G_IO_ERROR_NOT_CONNECTED: .keyringDied
        case G_IO_ERROR_TIMED_OUT: .keyringTimeout
        default: .keyringRefused(code: code)
        }
    }

    private static func service(_ code: gint) -> StoreError {
        switch SecretError(rawValue: SecretError.RawValue(code)) {
        case SECRET_ERROR_IS_LOCKED: .keyringLocked
        case SECRET_ERROR_NO_SUCH_OBJECT: .notFound
        default: .keyringRefused(code: code)
        }
    }
}
