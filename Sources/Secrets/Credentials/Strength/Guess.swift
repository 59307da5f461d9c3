/// An explanation for a part of a password: its length, and the log₂ of the guesses that it needs.
struct Guess: Equatable {
    let length: Int
    let bits: Double
}

/// The ways in which people vary letters: capitals, and signs instead of letters.
enum Folding: CaseIterable {
    /// Capitals only.
    case plain
    /// Signs for letters, with `1` and `!` for i.
    case signs
    /// Signs for letters, with `1` and `!` for l.
    case otherSigns

    /// The lower-case letter, digit or sign that a byte means.
    func callAsFunction(_ byte: UInt8) -> UInt8 {
        if (0x41...0x5A).contains(byte) { return byte | 0x20 }
        guard self != .plain else { return byte }
        return switch byte {
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "$"), UInt8(ascii: "5"): UInt8(ascii: "s")
        case UInt8(ascii: "7"), UInt8(ascii: "+"): UInt8(ascii: "t")
        case UInt8(ascii: "1"), UInt8(ascii: "!"), UInt8(ascii: "|"):
            self == .signs ? UInt8(ascii: "i") : UInt8(ascii: "l")
        default: byte
        }
    }
}

/// The bits of the variations in a word, counted byte by byte.
struct Variation {
    private var length = 0
    private var upper = 0
    private var isFirstUpper = false
    private var replaced = 0

    /// Adds the next byte and the letter that it was folded to.
    mutating func add(_ byte: UInt8, foldedTo letter: UInt8) {
        if (0x41...0x5A).contains(byte) {
            upper += 1
            if length == 0 { isFirstUpper = true }
        } else if byte != letter {
            replaced += 1
        }
        length += 1
    }

    /// The bits of capitals and signs.
    ///
    /// A word that begins with a capital or is all capitals has one bit; any other case has a bit for each letter. Signs
    /// instead of letters have one bit together, and one bit each.
    var bits: Double {
        let isUsual = upper == length || (upper == 1 && isFirstUpper)
        let casing = upper == 0 ? 0 : isUsual ? 1 : Double(length)
        return casing + (replaced == 0 ? 0 : 1 + Double(replaced))
    }
}
