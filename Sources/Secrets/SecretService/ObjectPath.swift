/// The path of an object of the Secret Service.
package enum ObjectPath: Hashable, Sendable {
    /// The service itself.
    case service
    /// A collection, by its id.
    case collection(String)
    /// An item, by the id of its collection and its own id.
    case item(collection: String, id: String)
    /// A collection, by an alias.
    case alias(String)
    /// An item, by an alias of its collection and its own id.
    case aliasItem(alias: String, id: String)
    /// A session, by its name.
    case session(String)
    /// A prompt, by its name.
    case prompt(String)

    /// The path of the service, which begins all other paths.
    package static let root = "/org/freedesktop/secrets"
    /// The path that means no object.
    package static let none = "/"
    /// Bytes in the longest path that is read: an id of 200 bytes, each written as three.
    private static let longest = 1_024

    /// Reads a path; nil if no object of the service can have it.
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

    /// The path as text.
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

    /// The path with its alias resolved; nil for an unknown alias.
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

/// Writes an id as one part of a path on the bus, as GNOME Keyring does.
///
/// ASCII letters and digits stay; every other byte becomes `_` and two hexadecimal digits.
package enum PathWord {
    /// The part of a path for an id.
    package static func encode(_ id: String) -> String {
        var word = ""
        for byte in id.utf8 {
            if isPlain(byte) {
                word.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                word += digits.count == 1 ? "_0\(digits)" : "_\(digits)"
            }
        }
        return word
    }

    /// The id in a part of a path; nil if `encode` cannot write such a part.
    package static func decode(_ word: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "_") else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            let value = high << 4 | low
            // `encode` writes such a byte as itself, never as digits.
            guard !isPlain(value) else { return nil }
            bytes.append(value)
        }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
