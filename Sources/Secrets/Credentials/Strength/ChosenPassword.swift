internal import Glibc
public import VaultCrypto

/// Estimates how hard a password is to guess that a person may have chosen.
///
/// The estimate cuts the password into pieces in every way. Each piece counts as the cheapest kind that it can be: a
/// common password, a word, a run of keys, a sequence, a repetition, a date, a sound like a word, or random characters.
/// The cut with the fewest guesses decides, because an attacker tries common habits first. The lists are small, so a
/// phrase from a book or a name that is not listed is easier to guess than the estimate.
public enum ChosenPassword {
    /// The number of bytes that are examined; more bytes only make a password stronger.
    public static let longest = 128

    /// The strength as the log₂ of the guesses that an attacker needs.
    public static func strength(of secret: borrowing some ByteSource & ~Copyable) -> Strength {
        secret.withBytes { text in
            let range = 0..<min(text.byteCount, longest)
            return Strength(bits: bits(of: text, range, alone: alone(text, range)))
        }
    }

    /// The bits of a range; `alone` has the bits of each character by itself.
    private static func bits(
        of text: borrowing RawSpan,
        _ range: Range<Int>,
        alone: [Double],
        repeats: Bool = true
    ) -> Double {
        var best = [Double](repeating: .infinity, count: range.count + 1)
        best[0] = 0
        for start in range {
            let place = start - range.lowerBound
            let sofar = best[place]
            func offer(_ guess: Guess) {
                best[place + guess.length] = min(best[place + guess.length], sofar + guess.bits)
            }
            offer(Guess(length: 1, bits: alone[start]))
            let end = range.upperBound
            for guess in WordGuess.all(in: text, from: start, to: end) { offer(guess) }
            for guess in SoundGuess.all(in: text, from: start, to: end) { offer(guess) }
            for guess in KeyboardGuess.all(in: text, from: start, to: end) { offer(guess) }
            for guess in SequenceGuess.all(in: text, from: start, to: end) { offer(guess) }
            for guess in DateGuess.all(in: text, from: start, to: end) { offer(guess) }
            guard repeats else { continue }
            if let (block, length) = repetition(in: text, from: start, to: end) {
                let once = bits(of: text, start..<start + block, alone: alone, repeats: false)
                offer(Guess(length: length, bits: once + log2(Double(length / block))))
            }
        }
        return best[range.count]
    }

    /// The shortest block that is repeated from `start` on, and the length of all its repetitions.
    private static func repetition(
        in text: borrowing RawSpan,
        from start: Int,
        to end: Int
    ) -> (block: Int, length: Int)? {
        for block in 1..<max(2, (end - start) / 2 + 1) {
            var reach = start + block
            while reach < end, text.byte(at: reach) == text.byte(at: reach - block) { reach += 1 }
            let length = (reach - start) / block * block
            if length >= 2 * block, length > 2 { return (block, length) }
        }
        return nil
    }

    /// The bits of each character that belongs to no pattern.
    ///
    /// They depend on the number of characters in the kinds that occur. A repeated sign counts as a separator of words, and
    /// costs nothing again.
    private static func alone(_ text: borrowing RawSpan, _ range: Range<Int>) -> [Double] {
        let pool = Kind.allCases.reduce(0) { size, kind in
            range.contains { Kind(text.byte(at: $0)) == kind } ? size + kind.size : size
        }
        let bits = log2(Double(max(pool, 1)))
        var signs: Set<UInt8> = []
        return range.map { place in
            let byte = text.byte(at: place)
            // A later byte of a UTF-8 character costs nothing.
            if byte & 0xC0 == 0x80 { return 0 }
            return Kind(byte) == .sign && !signs.insert(byte).inserted ? 0 : bits
        }
    }

    private enum Kind: CaseIterable {
        case upper, lower, digit, sign, beyond

        init(_ byte: UInt8) {
            self =
                switch byte {
                case 0x41...0x5A: .upper
                case 0x61...0x7A: .lower
                case 0x30...0x39: .digit
                case 0x80...: .beyond
                default: .sign
                }
        }

        var size: Int {
            switch self {
            case .upper, .lower: 26
            case .digit: 10
            case .sign: 33
            case .beyond: 100
            }
        }
    }
}

/// Guesses for letters in the order of typical words, because people invent words that sound like words.
///
/// The frequencies of letter pairs come from the 2,048 words of `Words`.
enum SoundGuess {
    private static let shortest = 3

    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        var found: [Guess] = []
        var bits = 0.0
        var variation = Variation()
        var before = 0
        for place in start..<end {
            let byte = text.byte(at: place)
            let letter = Folding.signs(byte)
            guard (0x61...0x7A).contains(letter) else { break }
            variation.add(byte, foldedTo: letter)
            let number = Int(letter - 0x60)
            bits += cost[before * 27 + number]
            before = number
            let length = place - start + 1
            if length >= shortest { found.append(Guess(length: length, bits: bits + variation.bits)) }
        }
        return found
    }

    /// The cost of each pair of letters, −log₂ of its frequency; the letter 0 is the beginning of a word.
    ///
    /// Half an occurrence is added to each pair.
    private static let cost: [Double] = {
        var counts = [Double](repeating: 0.5, count: 27 * 27)
        for number in 0..<Words.count {
            var before = 0
            for letter in Words.word(number) {
                counts[before * 27 + Int(letter - 0x60)] += 1
                before = Int(letter - 0x60)
            }
        }
        for before in 0..<27 {
            let row = before * 27 + 1..<before * 27 + 27
            let sum = counts[row].reduce(0, +)
            for place in row { counts[place] = -log2(counts[place] / sum) }
        }
        return counts
    }()
}
