/// A value that stands for one of another entry: `{REF:P@I:46C9B1FFBD4ABC4BBB260C6190BAD20C}`.
///
/// Only those that are a whole value and name the other entry by its UUID lead anywhere here; other programs may look
/// for a word in every entry, which is no name.
struct KeePassReference {
    /// The referenced part of the other entry.
    let part: KeePassPart
    /// The other entry: its UUID in hexadecimal digits, in capitals.
    let entry: String

    /// Nil for anything else.
    init?(_ range: Range<Int>, _ bytes: DocumentBytes) {
        // `{REF:P@I:`, 32 digits and a brace.
        guard range.count == 42, let text = bytes.text(range)?.uppercased(), text.hasPrefix("{REF:"),
            text.hasSuffix("}"), text.dropFirst(6).hasPrefix("@I:"),
            let part = text.dropFirst(5).first.flatMap({ KeePassPart(rawValue: $0) })
        else { return nil }
        self.part = part
        entry = String(text.dropFirst(9).dropLast())
        guard entry.allSatisfy(\.isHexDigit) else { return nil }
    }

    /// Whether one stands anywhere in a value.
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

    /// The part that a key of KeePass names; nil for the owner's own.
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
