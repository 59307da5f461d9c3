internal import Glibc
internal import VaultCrypto

/// Common passwords, names, and the words that passphrases are made of; also backwards.
enum WordGuess {
    private static let longest = 16

    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        var found: [Guess] = []
        for folding in Folding.allCases {
            var hash = Self.start
            var variation = Variation()
            for place in start..<min(end, start + longest) {
                let byte = text.byte(at: place)
                let letter = folding(byte)
                variation.add(byte, foldedTo: letter)
                hash = next(hash, letter)
                guard let bits = index[hash] else { continue }
                found.append(Guess(length: place - start + 1, bits: bits + variation.bits))
            }
        }
        return found
    }

    /// The bits of each word by its hash: a secret is never gathered into a text to be looked up.
    ///
    /// Two words with the same hash would at worst make one of them look commoner.
    private static let index: [UInt64: Double] = {
        var index: [UInt64: Double] = [:]
        func add(_ word: some Collection<UInt8>, _ bits: Double) {
            let hash = word.reduce(start, next)
            index[hash] = min(index[hash] ?? .infinity, bits)
        }
        for (rank, word) in CommonPasswords.list.enumerated() {
            let bits = log2(Double(rank + 1))
            add(word, bits)
            add(word.reversed(), bits + 1)
        }
        for number in 0..<Words.count {
            add(Words.word(number), 11)
            add(Words.word(number).reversed(), 12)
        }
        return index
    }()

    /// FNV-1a, 64 bits.
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
