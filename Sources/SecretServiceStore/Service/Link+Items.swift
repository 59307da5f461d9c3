internal import CSecretLoader
internal import RecordStore
internal import VaultCrypto

/// libsecret's proxy of an item.
typealias ItemProxy = UnsafeMutablePointer<SecretItem>

extension Link {
    func find(_ attributes: [String: String], _ waiting: Waiting) throws(StoreError) -> FoundItems {
        var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        var locked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        // No schema is passed: `xdg:schema` is a plain attribute here, and libsecret checks nothing against it.
        _ = unsafe try Texts.withTable(attributes) { table throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.secret_service_search_for_dbus_paths_sync(
                    service,
                    nil,
                    table,
                    waiting.pointer,
                    &unlocked,
                    &locked,
                    error
                )
            }
        }
        return unsafe FoundItems(unlocked: Texts.take(unlocked), locked: Texts.take(locked))
    }

    /// Reads the secrets of unlocked items in one response; missing items are left out.
    func secrets(of items: [ItemPath], _ waiting: Waiting) throws(StoreError) -> LibsecretValues {
        let table = unsafe try Texts.withList(items) { list throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe SecretLibrary.calls.secret_service_get_secrets_for_dbus_paths_sync(
                    service,
                    list,
                    waiting.pointer,
                    error
                )
            }
        }
        return unsafe LibsecretValues(table)
    }

    /// Reads the labels, attributes and times of items; missing items are left out.
    ///
    /// - Throws: `keyringDied` if items are missing because the service ended; the errors of the service.
    func facts(of paths: [ItemPath], _ waiting: Waiting) throws(StoreError) -> [ItemFacts] {
        var items = unsafe [ItemProxy?](repeating: nil, count: paths.count)
        _ = unsafe try Texts.withList(paths) { list throws(StoreError) in
            unsafe try GLibFailure.check { error in
                unsafe hsip_secret_items(service, list, &items, gsize(paths.count), waiting.pointer, error)
            }
        }
        var found: [ItemFacts] = []
        for index in paths.indices {
            guard let item = unsafe items[index] else { continue }
            defer { unsafe SecretLibrary.calls.g_object_unref(item) }
            found.append(unsafe Self.facts(of: item, paths[index]))
        }
        // Items are missing because they were deleted, or because the service ended.
        guard found.count == paths.count || isAlive else { throw .keyringDied }
        return found
    }

    private static func facts(of item: ItemProxy, _ path: ItemPath) -> ItemFacts {
        let calls = SecretLibrary.calls
        var attributes = unsafe Texts.take(calls.secret_item_get_attributes(item))
        attributes[LargeItems.mark] = nil
        return unsafe ItemFacts(
            path: path,
            label: Texts.take(calls.secret_item_get_label(item)),
            attributes: attributes,
            created: UInt64(calls.secret_item_get_created(item)),
            modified: UInt64(calls.secret_item_get_modified(item))
        )
    }
}

/// Secrets that a call returned, in libsecret's own locked memory; wiped with the last reference.
final class LibsecretValues: Sendable {
    /// The address of a GHashTable from paths to secrets.
    private let table: UInt

    /// Becomes the owner of a table.
    init(_ table: OpaquePointer?) {
        self.table = UInt(bitPattern: table)
    }

    /// Passes each path, secret and content type to `visit`.
    func each(_ visit: (ItemPath, RawSpan, String) throws(StoreError) -> Void) throws(StoreError) {
        guard let table = unsafe OpaquePointer(bitPattern: table) else { return }
        defer { withExtendedLifetime(self) {} }
        let calls = SecretLibrary.calls
        var entries = unsafe GHashTableIter()
        var (path, value): (gpointer?, gpointer?) = (nil, nil)
        unsafe calls.g_hash_table_iter_init(&entries, table)
        while unsafe calls.g_hash_table_iter_next(&entries, &path, &value) != 0 {
            guard let path = unsafe path, let value = unsafe value else { continue }
            var count: gsize = 0
            let bytes = unsafe calls.secret_value_get(OpaquePointer(value), &count)
            let memory = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
            let type = unsafe calls.secret_value_get_content_type(OpaquePointer(value))
            try visit(
                unsafe String(cString: path.assumingMemoryBound(to: CChar.self)),
                unsafe memory.bytes,
                unsafe type.map { unsafe String(cString: $0) } ?? ""
            )
        }
    }

    deinit {
        guard let table = unsafe OpaquePointer(bitPattern: table) else { return }
        unsafe SecretLibrary.calls.g_hash_table_unref(table)
    }
}
