internal import Text

/// A security key that is plugged in, as it describes itself.
package struct KeyLook: Equatable, Sendable {
    /// Whether a key made the credential of a slot.
    package enum Match: String, Sendable {
        case yes, no
        /// The key tells only when it is touched.
        case perhaps
    }

    /// The device node.
    package let path: String
    /// What the maker calls it; foreign text.
    package let product: String
    /// It can make secrets.
    package let isFit: Bool
    /// A PIN is set.
    package let hasPIN: Bool
    /// A finger is enrolled, which does what the PIN does.
    package let hasFinger: Bool
    /// How many wrong PINs it accepts before it locks itself for good; nil if it does not say.
    package let triesLeft: UInt32?
    /// Whether it opens each slot that was asked about.
    package let matches: [Match]

    /// A description by its parts.
    package init(
        path: String,
        product: String,
        isFit: Bool,
        hasPIN: Bool,
        hasFinger: Bool,
        triesLeft: UInt32?,
        matches: [Match]
    ) {
        self.path = path
        self.product = product
        self.isFit = isFit
        self.hasPIN = hasPIN
        self.hasFinger = hasFinger
        self.triesLeft = triesLeft
        self.matches = matches
    }
}

extension KeyLook {
    /// Reads a description; nil for anything else.
    init?(_ json: JSONValue) {
        let words = json["matches"]?.items ?? []
        let matches = words.compactMap { $0.text.flatMap { Match(rawValue: $0) } }
        guard let path = json["path"]?.text, let product = json["product"]?.text,
            case .bool(let isFit)? = json["fit"], case .bool(let hasPIN)? = json["pin"],
            case .bool(let hasFinger)? = json["finger"], matches.count == words.count
        else { return nil }
        self.init(
            path: path,
            product: product,
            isFit: isFit,
            hasPIN: hasPIN,
            hasFinger: hasFinger,
            triesLeft: json.number("tries"),
            matches: matches
        )
    }

    var json: JSONValue {
        [
            "path": .text(path), "product": .text(product), "fit": .bool(isFit), "pin": .bool(hasPIN),
            "finger": .bool(hasFinger), "tries": .optional(triesLeft),
            "matches": .texts(matches.map(\.rawValue)),
        ]
    }
}
