/// A hashed name made ready to be compared with very many names: what depends on the salt alone is computed once.
struct HashedNameMatcher {
    /// A name made ready likewise, in lower case and with its port.
    struct Name {
        let bytes: [UInt8]
        fileprivate let block: SHA1State.Block?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            block = SHA1State.end(bytes)
        }
    }

    private let hash: HashedName
    private let inner: SHA1State
    private let outer: SHA1State
    private let tag: SHA1State

    /// Nil for a damaged hash, which no name has.
    init?(_ hash: HashedName) {
        guard hash.tag.count == HashedName.size else { return nil }
        self.hash = hash
        inner = SHA1State(key: hash.salt, pad: 0x36)
        outer = SHA1State(key: hash.salt, pad: 0x5C)
        tag = SHA1State(digest: hash.tag)
    }

    /// Whether this is the hash of that name, as `HashedName.matches` says.
    func matches(_ name: Name) -> Bool {
        guard let block = name.block else { return hash.matches(name.bytes) }
        var (inner, outer) = (inner, outer)
        inner.compress(block)
        outer.compress(inner.end)
        return outer == tag
    }
}
