internal import VaultCrypto

/// The values that references can name, from all entries of an export, refused entries included.
struct KeePassReferences {
    /// The parts of each entry, by the UUID of the entry in hexadecimal digits.
    private var known: [String: [KeePassPart: Range<Int>]] = [:]

    /// Adds an entry; if two entries have the same UUID, the first is used.
    ///
    /// `id` is the UUID in base64, as the XML has it.
    mutating func note(_ parts: [KeePassPart: Range<Int>], of id: String) {
        guard let id = Self.hexadecimal(id), known[id] == nil else { return }
        known[id] = parts
    }

    /// Replaces references by the values of other entries, and records each unresolved reference as left out.
    func resolve(in candidate: inout Candidate, _ bytes: DocumentBytes) {
        for index in candidate.fields.indices {
            let field = candidate.fields[index]
            guard KeePassReference.isIn(field.value, bytes) else { continue }
            if let value = value(of: field.value, bytes) {
                candidate.fields[index] = CandidateField(field.role, value, isHidden: field.isHidden)
            } else {
                candidate.leave(.reference)
            }
        }
    }

    /// The value of a reference, also through further references; nil if a reference cannot be resolved.
    private func value(of reference: Range<Int>, _ bytes: DocumentBytes) -> Range<Int>? {
        var value = reference
        // The limit of eight steps ends references in a circle.
        for _ in 0..<8 {
            guard KeePassReference.isIn(value, bytes) else { return value.isEmpty ? nil : value }
            guard let next = KeePassReference(value, bytes), let found = known[next.entry]?[next.part] else {
                return nil
            }
            value = found
        }
        return nil
    }

    private static func hexadecimal(_ text: String) -> String? {
        guard let id = StrictBase64.decode(Array(text.utf8)), id.count == 16 else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: id.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// A reference to a value of another entry: `{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}`.
///
/// Only a reference that is the whole value and names the other entry by its UUID is resolved. KeePass can also search
/// every entry for a word; hsip does not.
struct KeePassReference {
    /// The referenced part of the other entry.
    let part: KeePassPart
    /// The UUID of the other entry in hexadecimal capitals.
    let entry: String

    /// Reads a reference; nil for any other value.
    init?(_ range: Range<Int>, _ bytes: DocumentBytes) {
        // The form is `{REF:P@I:`, 32 digits and a brace.
        guard range.count == 42, let text = bytes.text(range)?.uppercased(), text.hasPrefix("{REF:"),
            text.hasSuffix("}"), text.dropFirst(6).hasPrefix("@I:"),
            let part = text.dropFirst(5).first.flatMap({ KeePassPart(rawValue: $0) })
        else { return nil }
        self.part = part
        entry = String(text.dropFirst(9).dropLast())
        guard entry.allSatisfy(\.isHexDigit) else { return nil }
    }

    /// Whether a reference occurs anywhere in a value.
    static func isIn(_ range: Range<Int>, _ bytes: DocumentBytes) -> Bool {
        range.contains { place in
            guard bytes[place] == UInt8(ascii: "{"), place + 5 <= range.upperBound else { return false }
            return bytes.text(place..<place + 5)?.uppercased() == "{REF:"
        }
    }
}

/// The parts of an entry that a reference can name.
enum KeePassPart: Character {
    case title = "T"
    case user = "U"
    case password = "P"
    case url = "A"
    case notes = "N"

    /// Finds the part for a key of KeePass; nil for a key that the owner added.
    init?(key: String) {
        switch key {
        case "Title": self = .title
        case "UserName": self = .user
        case "Password": self = .password
        case "URL": self = .url
        case "Notes": self = .notes
        default: return nil
        }
    }
}
