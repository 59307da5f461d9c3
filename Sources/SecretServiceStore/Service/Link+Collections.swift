internal import CSecretLoader
internal import RecordStore

extension Link {
    /// Returns every collection except the transient one of the login session; the default collection is first.
    func collections(_ waiting: Waiting) throws(StoreError) -> [CollectionInfo] {
        let standard = try path(of: "default", waiting)
        let transient = try path(of: "session", waiting)
        var found: [CollectionInfo] = []
        for path in try collectionPaths(waiting) where path != transient {
            do throws(StoreError) {
                found.append(try collection(path, isDefault: path == standard, waiting))
            } catch .notFound {
                // The collection was removed after the list was read.
            }
        }
        return found.filter(\.isDefault) + found.filter { !$0.isDefault }
    }

    /// Makes a collection, for which the service may ask for a password.
    func makeCollection(_ label: String, _ waiting: Waiting) throws(StoreError) -> String {
        let properties = unsafe hsip_secret_properties(Texts.plain(label), nil)
        defer { unsafe SecretLibrary.calls.g_hash_table_unref(properties) }
        let path = unsafe try GLibFailure.check { error in
            unsafe SecretLibrary.calls.secret_service_create_collection_dbus_path_sync(
                service,
                properties,
                nil,
                SECRET_COLLECTION_CREATE_NONE,
                waiting.pointer,
                error
            )
        }
        guard unsafe path != nil else { throw isAlive ? .promptDismissed : .keyringDied }
        return unsafe Texts.take(path)
    }

    /// Removes a collection, and does not check that it is empty.
    func removeCollection(_ path: String, _ waiting: Waiting) throws(StoreError) {
        let isDone = unsafe try GLibFailure.check { error in
            unsafe hsip_secret_remove_collection(service, path, waiting.pointer, error) != 0
        }
        guard isDone else { throw isAlive ? .keyringLocked : .keyringDied }
    }

    func unlock(_ paths: [String], _ waiting: Waiting) throws(StoreError) {
        var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe try Texts.withList(paths) { list throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.secret_service_unlock_dbus_paths_sync(
                    service,
                    list,
                    waiting.pointer,
                    &unlocked,
                    error
                )
            }
        }
        unsafe SecretLibrary.calls.g_strfreev(unlocked)
        // A service that dies during the prompt looks like a person who refuses.
        guard count >= paths.count else { throw isAlive ? .promptDismissed : .keyringDied }
    }

    private func path(of alias: String, _ waiting: Waiting) throws(StoreError) -> String? {
        let path = unsafe try GLibFailure.check { error in
            unsafe SecretLibrary.calls.secret_service_read_alias_dbus_path_sync(
                service,
                alias,
                waiting.pointer,
                error
            )
        }
        return unsafe path == nil ? nil : unsafe Texts.take(path)
    }

    private func collectionPaths(_ waiting: Waiting) throws(StoreError) -> [String] {
        let view = unsafe try look(waiting)
        let calls = SecretLibrary.calls
        defer { unsafe calls.g_object_unref(view) }
        var holder: OpaquePointer?
        guard let list = unsafe hsip_secret_paths(view, "Collections", &holder) else { return [] }
        defer {
            unsafe calls.g_free(list)
            unsafe calls.g_variant_unref(holder)
        }
        var paths: [String] = []
        while let path = unsafe list[paths.count] { unsafe paths.append(String(cString: path)) }
        return paths
    }

    private func collection(
        _ path: String,
        isDefault: Bool,
        _ waiting: Waiting
    ) throws(StoreError) -> CollectionInfo {
        let collection = unsafe try look(atCollection: path, waiting)
        let calls = SecretLibrary.calls
        defer { unsafe calls.g_object_unref(collection) }
        return unsafe CollectionInfo(
            path: path,
            label: Texts.take(calls.secret_collection_get_label(collection)),
            isLocked: calls.secret_collection_get_locked(collection) != 0,
            isDefault: isDefault
        )
    }

    private func look(
        atCollection path: String,
        _ waiting: Waiting
    ) throws(StoreError) -> UnsafeMutablePointer<SecretCollection> {
        do throws(StoreError) {
            let collection = unsafe try GLibFailure.check { error in
                unsafe hsip_secret_collection(service, path, waiting.pointer, error)
            }
            if let collection = unsafe collection { return unsafe collection }
        } catch {
            throw error == .notFound ? missing : error
        }
        throw missing
    }
}

/// A collection of the Secret Service, which desktops call a keyring.
public struct CollectionInfo: Equatable, Sendable {
    /// The D-Bus object path.
    public let path: String
    /// The label for people.
    public let label: String
    /// Whether the collection must be unlocked before its secrets can be read.
    public let isLocked: Bool
    /// Whether the alias `default` names this collection.
    public let isDefault: Bool

    package init(path: String, label: String, isLocked: Bool, isDefault: Bool) {
        self.path = path
        self.label = label
        self.isLocked = isLocked
        self.isDefault = isDefault
    }
}

/// A choice of a collection of the Secret Service.
public enum CollectionChoice: Equatable, Sendable {
    /// The collection with the alias `default`, usually the login keyring.
    case standard
    /// The collection with this label, or with this last part of its path.
    case named(String)
}
