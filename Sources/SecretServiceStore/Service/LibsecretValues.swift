internal import CSecretLoader
internal import RecordStore

/// Secrets that a call brought, in libsecret's own locked memory; wiped when this goes.
final class LibsecretValues: Sendable {
    /// The address of a GHashTable from paths to secrets.
    private let table: UInt

    /// Takes over a table.
    init(_ table: OpaquePointer?) {
        self.table = UInt(bitPattern: table)
    }

    /// Passes each to `visit`, with its content type.
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
