/// An object that the Secret Service has a path for.
package enum ObjectPath: Hashable, Sendable {
    /// The service itself.
    case service
    /// A collection, by its id.
    case collection(String)
    /// An item, by the id of its collection and its own.
    case item(collection: String, id: String)
    /// A collection, by one of its aliases.
    case alias(String)
    /// An item, by an alias of its collection and its own id.
    case aliasItem(alias: String, id: String)
    /// A session, by its name.
    case session(String)
    /// A prompt, by its name.
    case prompt(String)

    /// The path of the service, below which all others lie.
    package static let root = "/org/freedesktop/secrets"
    /// What stands for no object.
    package static let none = "/"
    /// Bytes in the longest path that is read: an id of 200 bytes, each written as three.
    private static let longest = 1_024

    /// Reads a path; nil for one that no object of the service can have.
    package init?(_ path: String) {
        guard path.utf8.count <= Self.longest, path.hasPrefix(Self.root) else { return nil }
        let rest = path.dropFirst(Self.root.count)
        if rest.isEmpty {
            self = .service
            return
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard rest.hasPrefix("/"), !parts.contains("") else { return nil }
        switch (parts.first, parts.count) {
        case ("collection", 2), ("collection", 3):
            guard let id = PathWord.decode(parts[1]) else { return nil }
            if parts.count == 2 {
                self = .collection(id)
            } else {
                guard Self.isItem(parts[2]) else { return nil }
                self = .item(collection: id, id: parts[2])
            }
        case ("aliases", 2):
            guard let alias = PathWord.decode(parts[1]) else { return nil }
            self = .alias(alias)
        case ("aliases", 3):
            guard let alias = PathWord.decode(parts[1]), Self.isItem(parts[2]) else { return nil }
            self = .aliasItem(alias: alias, id: parts[2])
        case ("session", 2): self = .session(parts[1])
        case ("prompt", 2): self = .prompt(parts[1])
        default: return nil
        }
    }

    /// The path.
    package var text: String {
        switch self {
        case .service: Self.root
        case .collection(let id): "\(Self.root)/collection/\(PathWord.encode(id))"
        case .item(let collection, let id): "\(Self.root)/collection/\(PathWord.encode(collection))/\(id)"
        case .alias(let alias): "\(Self.root)/aliases/\(PathWord.encode(alias))"
        case .aliasItem(let alias, let id): "\(Self.root)/aliases/\(PathWord.encode(alias))/\(id)"
        case .session(let name): "\(Self.root)/session/\(name)"
        case .prompt(let name): "\(Self.root)/prompt/\(name)"
        }
    }

    /// The same object by another path: an alias resolved.
    package func resolved(_ collection: (String) -> String?) -> ObjectPath? {
        switch self {
        case .alias(let alias): collection(alias).map { .collection($0) }
        case .aliasItem(let alias, let id): collection(alias).map { .item(collection: $0, id: id) }
        default: self
        }
    }

    private static func isItem(_ word: String) -> Bool {
        (1...64).contains(word.utf8.count)
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }
}
