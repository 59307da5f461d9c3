public import VaultCrypto

/// The 60 pictures and their words, and the choice among them (Schemas/hsip-xc1.md section 6).
public enum Emoji {
    /// The pictures 0 to 59; U+FE0F is kept where it belongs to the picture.
    public static let pictures = [
        "🐕", "🐈", "🐘", "🦁", "🦊", "🐻", "🐼", "🐨", "🐯", "🐸",
        "🌲", "🌵", "🌺", "🌻", "🌹", "🌷", "🍀", "🌾", "🌴", "🎋",
        "🚗", "🚕", "🚙", "🚌", "🚎", "🏎️", "🚓", "🚑", "🚒", "🚐",
        "🎸", "🎹", "🎺", "🎷", "🥁", "🎻", "🎤", "🎧", "🎼", "🎵",
        "⚡", "🔥", "💧", "❄️", "☀️", "🌙", "⭐", "💫", "✨", "🌈",
        "🍕", "🍔", "🍟", "🌭", "🍿", "🍩", "🍪", "🎂", "🍰", "🧁",
    ]

    /// One English word for each picture, in the same order, for speech and for displays without pictures.
    public static let words = [
        "dog", "cat", "elephant", "lion", "fox", "bear", "panda", "koala", "tiger", "frog",
        "pine", "cactus", "hibiscus", "sunflower", "rose", "tulip", "clover", "wheat", "palm", "bamboo",
        "car", "taxi", "jeep", "bus", "trolley", "racer", "police", "ambulance", "engine", "van",
        "guitar", "piano", "trumpet", "sax", "drum", "violin", "microphone", "headphones", "score", "note",
        "lightning", "fire", "drop", "snow", "sun", "moon", "star", "dizzy", "sparkles", "rainbow",
        "pizza", "burger", "fries", "hotdog", "popcorn", "donut", "cookie", "cake", "slice", "muffin",
    ]

    /// The 12 pictures of a pairing, as indices: Argon2id over its emoji secret, about a tenth of a second.
    ///
    /// The pictures change with every pairing, but not with a rotation. A man in the middle must compute the slow hash
    /// for every attempt.
    ///
    /// - Parameters:
    ///   - emojiSecret: D(emoji) of epoch 0, 32 bytes.
    ///   - transcript: th; its first 16 bytes are the salt.
    /// - Returns: 12 indices into `pictures` and `words`, each from 0 to 59.
    /// - Throws: `outOfMemory` if 64 MiB are not available.
    public static func indices(
        emojiSecret: borrowing some ByteSource & ~Copyable,
        transcript: [UInt8]
    ) throws(HSIPError) -> [UInt8] {
        do {
            let stretched = try PasswordHash.derive(
                emojiSecret,
                salt: Array(transcript.prefix(16)),
                parameters: try PasswordHash.Parameters(operations: 3, kibibytes: 64 << 10),
                count: 96
            )
            return stretched.withBytes { bytes in
                (0..<12).map { place in
                    var value: UInt64 = 0
                    for offset in 0..<8 {
                        value = value << 8 | UInt64(bytes.byte(at: place * 8 + offset))
                    }
                    return UInt8(value % 60)
                }
            }
        } catch {
            throw HSIPError(error)
        }
    }

    /// The 6 pictures that old HSIP programs show for two public keys (32 bytes each), in either order.
    ///
    /// Kept for comparing with old programs; 35 bits prove nothing.
    ///
    /// - Throws: `malformed` for keys that are together longer than 64 bytes.
    public static func legacyFingerprint(_ one: [UInt8], _ other: [UInt8]) throws(HSIPError) -> [UInt8] {
        let ordered = other.lexicographicallyPrecedes(one) ? other + one : one + other
        guard ordered.count <= 64 else { throw .malformed }
        return BLAKE3.hash(ordered).prefix(6).map { $0 % 60 }
    }

    /// The pictures of `indices`, with `separator` between them; an index above 59 is left out.
    public static func pictures(of indices: [UInt8], separator: String = "") -> String {
        indices.filter { $0 < 60 }.map { pictures[Int($0)] }.joined(separator: separator)
    }

    /// The words of `indices`, separated by spaces; an index above 59 is left out.
    public static func words(of indices: [UInt8]) -> String {
        indices.filter { $0 < 60 }.map { words[Int($0)] }.joined(separator: " ")
    }
}
