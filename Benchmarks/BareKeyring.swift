internal import CBareSecret

/// The keyring through libsecret alone, in C.
final class BareKeyring {
    /// A vault id that is nobody's, for items of our own.
    private static let own = "0000000000000000000000000000bare"
    private var added = 0
    /// As long as the secret of a record of the store.
    private let text = String(repeating: "x", count: 250)

    /// Connects to the service of this session.
    init() throws {
        guard bare_connect() == 0 else { throw BenchmarkError.keyring }
    }

    /// Looks up the item that `replace` wrote.
    func get() throws {
        let size = unsafe item(Self.own, "the same", user: nil) { unsafe bare_lookup($0) }
        guard size > 0 else { throw BenchmarkError.missingRecord }
    }

    /// Makes one new item.
    func putNew() throws {
        added += 1
        try store("new-\(added)")
    }

    /// Writes over an item that is there.
    func replace() throws { try store("the same") }

    /// Stores through libsecret's simple calls: its file backend, where SECRET_BACKEND says so.
    static func simpleStore(_ name: String) throws {
        let text = String(repeating: "x", count: 32)
        let stored = unsafe item(own, name, user: SampleKeyring.user) { unsafe bare_simple_store($0, text) }
        guard stored == 0 else { throw BenchmarkError.keyring }
    }

    /// Looks up what `simpleStore` stored.
    static func simpleGet(_ name: String) throws {
        let size = unsafe item(own, name, user: nil) { unsafe bare_simple_lookup($0) }
        guard size > 0 else { throw BenchmarkError.missingRecord }
    }

    /// Finds everything that `simpleStore` stored, secrets included.
    static func simpleList(_ count: Int) throws {
        guard unsafe bare_simple_search(own) >= count else { throw BenchmarkError.missingRecord }
    }

    private func store(_ name: String) throws {
        let stored = unsafe Self.item(Self.own, name, user: SampleKeyring.user) {
            unsafe bare_store($0, text)
        }
        guard stored == 0 else { throw BenchmarkError.keyring }
    }

    private func item<R>(_ vault: String, _ name: String, user: String?, _ body: (bare_item) -> R) -> R {
        unsafe Self.item(vault, name, user: user, body)
    }

    private static func item<R>(
        _ vault: String,
        _ name: String,
        user: String?,
        _ body: (bare_item) -> R
    ) -> R {
        unsafe vault.withCString { vault in
            unsafe SampleKeyring.kind.withCString { kind in
                unsafe name.withCString { name in
                    guard let user else {
                        return unsafe body(bare_item(vault: vault, kind: kind, name: name, user: nil))
                    }
                    return unsafe user.withCString {
                        unsafe body(bare_item(vault: vault, kind: kind, name: name, user: $0))
                    }
                }
            }
        }
    }
}
