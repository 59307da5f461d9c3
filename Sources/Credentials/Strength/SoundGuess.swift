internal import Glibc
internal import VaultCrypto

/// Letters that follow each other as in words: people make up words that sound like words.
///
/// What follows what is counted in the 2,048 words of `Words`.
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

    /// −log₂ of how often a letter follows another; 0 stands for the beginning.
    ///
    /// Half a time is added to each.
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
