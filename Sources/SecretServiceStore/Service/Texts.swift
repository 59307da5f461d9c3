internal import CSecretLoader

/// Converts texts between Swift and GLib.
enum Texts {
    /// Passes a table of texts, valid during the call, to `body`.
    static func withTable<R, E: Error>(
        _ texts: [String: String],
        _ body: (OpaquePointer) throws(E) -> R
    ) throws(E) -> R {
        let calls = SecretLibrary.calls
        let table = unsafe hsip_secret_texts()
        defer { unsafe calls.g_hash_table_unref(table) }
        for (name, value) in texts {
            _ = unsafe calls.g_hash_table_insert(
                table,
                calls.g_strdup(plain(name)),
                calls.g_strdup(plain(value))
            )
        }
        return try unsafe body(table)
    }

    /// Passes a list of texts that ends with NULL, valid during the call, to `body`.
    static func withList<R, E: Error>(
        _ texts: [String],
        _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>?) throws(E) -> R
    ) throws(E) -> R {
        let calls = SecretLibrary.calls
        var copies = unsafe texts.map { unsafe UnsafePointer(calls.g_strdup(plain($0))) } + [nil]
        defer { unsafe copies.forEach { unsafe calls.g_free(UnsafeMutableRawPointer(mutating: $0)) } }
        return try unsafe body(&copies)
    }

    /// Converts and frees a text of GLib; NULL becomes an empty text.
    static func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        defer { unsafe SecretLibrary.calls.g_free(text) }
        return unsafe String(cString: text)
    }

    /// Converts and frees a list of texts of GLib; NULL becomes an empty list.
    static func take(_ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> [String] {
        guard let list = unsafe list else { return [] }
        defer { unsafe SecretLibrary.calls.g_strfreev(list) }
        var texts: [String] = []
        while let text = unsafe list[texts.count] { unsafe texts.append(String(cString: text)) }
        return texts
    }

    /// Converts and releases a table of texts of GLib; NULL becomes an empty table.
    static func take(_ table: OpaquePointer?) -> [String: String] {
        guard let table = unsafe table else { return [:] }
        let calls = SecretLibrary.calls
        defer { unsafe calls.g_hash_table_unref(table) }
        var texts: [String: String] = [:]
        var entries = unsafe GHashTableIter()
        var (name, value): (gpointer?, gpointer?) = (nil, nil)
        unsafe calls.g_hash_table_iter_init(&entries, table)
        while unsafe calls.g_hash_table_iter_next(&entries, &name, &value) != 0 {
            guard let name = unsafe name, let value = unsafe value else { continue }
            let key = unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
            unsafe texts[key] = String(cString: value.assumingMemoryBound(to: CChar.self))
        }
        return texts
    }

    /// Replaces U+0000 by U+FFFD: D-Bus forbids it in texts, and C ends a text at it.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : Character($0) })
    }
}
