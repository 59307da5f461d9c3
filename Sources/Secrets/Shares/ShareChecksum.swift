/// The checksum of a share: a Reed-Solomon code over numbers of ten bits that finds every error in up to three words.
///
/// It takes the same time for all words.
enum ShareChecksum {
    /// Words that it has.
    static let size = 3

    private static let generator: [UInt32] = [
        0x00E0_E040, 0x01C1_C080, 0x0383_8100, 0x0707_0200, 0x0E0E_0009,
        0x1C0C_2412, 0x3808_6C24, 0x3090_FC48, 0x21B1_F890, 0x03F3_F120,
    ]

    /// What remains of the words after the text that says which kind of share it is: 1 for a whole share.
    static func remainder(_ words: borrowing ShareWords, isExtendable: Bool) -> UInt32 {
        var check: UInt32 = 1
        for character in (isExtendable ? "shamir_extendable" : "shamir").utf8 {
            advance(&check, by: UInt32(character))
        }
        for index in 0..<words.count { advance(&check, by: words.number(at: index)) }
        return check
    }

    /// Writes the last three words, which must be zero, so that the remainder is 1.
    static func complete(_ words: inout ShareWords, isExtendable: Bool) {
        let missing = remainder(words, isExtendable: isExtendable) ^ 1
        for index in 0..<size {
            let shift = UInt32(10 * (size - 1 - index))
            words.set(missing >> shift & 0x3FF, at: words.count - size + index)
        }
    }

    private static func advance(_ check: inout UInt32, by value: UInt32) {
        let top = check >> 20
        check = (check & 0xF_FFFF) << 10 ^ value
        for bit in 0..<10 { check ^= generator[bit] & (0 &- (top >> UInt32(bit) & 1)) }
    }
}
