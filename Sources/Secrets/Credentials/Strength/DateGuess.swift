internal import Glibc
internal import VaultCrypto

/// Guesses for years and days: `1987`, `24121987`, `24.12.87`, `1987-12-24`.
enum DateGuess {
    /// The bits of a year, out of about as many years as people live.
    private static let years = log2(120.0)
    private static let days = log2(366.0)
    private static let separators = Array(".-/_ ".utf8)

    static func all(in text: borrowing RawSpan, from start: Int, to end: Int) -> [Guess] {
        var found: [Guess] = []
        func number(_ from: Int, _ count: Int) -> Int? {
            guard from + count <= end else { return nil }
            var value = 0
            for place in from..<from + count {
                let byte = text.byte(at: place)
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte & 0x0F)
            }
            return value
        }
        func isSeparator(_ place: Int) -> Bool { place < end && separators.contains(text.byte(at: place)) }
        if let year = number(start, 4), isYear(year) { found.append(Guess(length: 4, bits: years)) }
        for widths in [[2, 2, 4], [2, 2, 2], [4, 2, 2]] {
            for gap in [0, 1] {
                var place = start
                var numbers: [Int] = []
                for (index, width) in widths.enumerated() {
                    if index > 0, gap == 1 {
                        guard isSeparator(place) else { break }
                        place += 1
                    }
                    guard let next = number(place, width) else { break }
                    numbers.append(next)
                    place += width
                }
                guard numbers.count == 3, isDate(numbers, widths) else { continue }
                // Two bits are for the order, and two for the separator.
                found.append(Guess(length: place - start, bits: days + years + 2 + Double(2 * gap)))
            }
        }
        return found
    }

    private static func isYear(_ number: Int) -> Bool { (1910...2039).contains(number) }

    private static func isDate(_ numbers: [Int], _ widths: [Int]) -> Bool {
        let isFirst = widths[0] == 4
        let year = isFirst ? numbers[0] : numbers[2]
        let pair = isFirst ? [numbers[1], numbers[2]] : [numbers[0], numbers[1]]
        guard widths.contains(4) ? isYear(year) : true else { return false }
        return isDay(pair[0], month: pair[1]) || isDay(pair[1], month: pair[0])
    }

    private static func isDay(_ day: Int, month: Int) -> Bool {
        (1...31).contains(day) && (1...12).contains(month)
    }
}
