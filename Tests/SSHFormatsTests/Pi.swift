/// Pi to any length, by Machin's formula with whole numbers of many words.
enum Pi {
    /// The fraction's first bits, 32 a word.
    static func fraction(words: Int) -> [UInt32] {
        // Two words to spare take up what the divisions cut off.
        let size = words + 3
        let fifth = arctan(of: 5, size)
        let small = arctan(of: 239, size)
        var sum = [UInt32](repeating: 0, count: size)
        for _ in 0..<16 { add(fifth, to: &sum) }
        for _ in 0..<4 { subtract(small, from: &sum) }
        return Array(sum[1...words])
    }

    /// The angle whose tangent is 1/x: a whole word, then the fraction, the most significant first.
    private static func arctan(of x: UInt32, _ size: Int) -> [UInt32] {
        var power = [UInt32](repeating: 0, count: size)
        power[0] = 1
        divide(&power, by: x)
        var sum = power
        var divisor: UInt32 = 1
        var isNegative = true
        while power.contains(where: { $0 != 0 }) {
            divide(&power, by: x * x)
            divisor += 2
            var term = power
            divide(&term, by: divisor)
            if isNegative { subtract(term, from: &sum) } else { add(term, to: &sum) }
            isNegative.toggle()
        }
        return sum
    }

    private static func divide(_ number: inout [UInt32], by divisor: UInt32) {
        var rest: UInt64 = 0
        for index in number.indices {
            let part = rest << 32 | UInt64(number[index])
            number[index] = UInt32(part / UInt64(divisor))
            rest = part % UInt64(divisor)
        }
    }

    private static func add(_ other: [UInt32], to number: inout [UInt32]) {
        var carry: UInt64 = 0
        for index in number.indices.reversed() {
            let sum = UInt64(number[index]) + UInt64(other[index]) + carry
            number[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
    }

    private static func subtract(_ other: [UInt32], from number: inout [UInt32]) {
        var borrow: UInt64 = 0
        for index in number.indices.reversed() {
            let difference = UInt64(number[index]) &- UInt64(other[index]) &- borrow
            number[index] = UInt32(truncatingIfNeeded: difference)
            borrow = difference >> 63
        }
    }
}
