extension WordList {
    /// The number of a word by its letters, packed as in the list, of which at least four are there and count.
    ///
    /// All words are looked at, and the time does not tell which one it is; how many letters were given is not hidden.
    ///
    /// - Returns: The number, or nil when no word begins so.
    static func number(of letters: UInt64, count: Int) -> UInt32? {
        guard (significant...longest).contains(count) else { return nil }
        let compared = UInt64.max << UInt64(8 * (longest - count))
        var (found, number) = (UInt64(0), UInt64(0))
        for (index, word) in packed.enumerated() {
            let hit = isZero((word ^ letters) & compared)
            found |= hit
            number |= UInt64(index) & hit
        }
        return found == 0 ? nil : UInt32(number)
    }

    /// The letters of a word by its number, packed; all words are looked at.
    static func letters(of number: UInt32) -> UInt64 {
        var letters: UInt64 = 0
        for (index, word) in packed.enumerated() {
            letters |= word & isZero(UInt64(index) ^ UInt64(number))
        }
        return letters
    }

    /// All ones for 0, and 0 for every other value.
    private static func isZero(_ value: UInt64) -> UInt64 { (value | (0 &- value)) >> 63 &- 1 }
}
