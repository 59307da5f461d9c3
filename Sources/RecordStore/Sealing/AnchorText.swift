internal import VaultCrypto

/// The newest head that was seen, as 128 bytes of text kept outside the vault's folder.
///
/// `HSIP-ANCHOR-1 <vault id> <key epoch> <generation> <head tag>`, blanks, a line feed at byte 127
/// (Schemas/vault-file.md section 4). It has no MAC, because anyone who can write it can also delete it.
package struct AnchorText: Equatable, Sendable {
    /// Bytes of the text.
    package static let size = 128
    /// No vault reaches this number; from a higher one the vault could not continue.
    private static let lastGeneration = UInt64(Int64.max)
    private static let magic = Array("HSIP-ANCHOR-1".utf8)

    /// The vault of the anchor.
    package let vaultID: [UInt8]
    /// The newest position in the history.
    package let position: Position
    /// The tag of the head at that position.
    package let tag: [UInt8]

    /// The anchor of a head.
    package init(vaultID: [UInt8], position: Position, tag: [UInt8]) {
        self.vaultID = vaultID
        self.position = position
        self.tag = tag
    }

    /// The anchor of a head that has been opened.
    package init(_ row: HeadRow, _ content: HeadContent) {
        self.init(
            vaultID: row.vaultID,
            position: Position(epoch: row.epoch, generation: content.generation),
            tag: row.tag
        )
    }

    /// Reads an anchor; nil for anything malformed, which counts as missing.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, let vaultID = Hex.decode(bytes[14..<46]),
            let epoch = Self.number(bytes[47..<57]).flatMap({ UInt32(exactly: $0) }),
            let generation = Self.number(bytes[58..<78]), generation <= Self.lastGeneration,
            let tag = Hex.decode(bytes[79..<111])
        else { return nil }
        self.init(vaultID: vaultID, position: Position(epoch: epoch, generation: generation), tag: tag)
        // Other bytes between the fields, and capitals, would be encoded differently.
        guard encoded.isSame(as: bytes) else { return nil }
    }

    /// The 128 bytes.
    package var encoded: [UInt8] {
        var bytes = [UInt8](repeating: 0x20, count: Self.size)
        Self.magic.withBytes { bytes.overwrite(at: 0, with: $0) }
        Hex.write(vaultID, in: &bytes, at: 14)
        Self.write(UInt64(position.epoch), in: &bytes, at: 47, digits: 10)
        Self.write(position.generation, in: &bytes, at: 58, digits: 20)
        Hex.write(tag, in: &bytes, at: 79)
        bytes[Self.size - 1] = 0x0A
        return bytes
    }

    /// Compares a head with the newest one seen.
    ///
    /// - Throws: `StoreError.rollback` if the head is older; `fork` if another head has this position.
    package func check(_ found: Position, tag foundTag: [UInt8]) throws(StoreError) {
        if found < position { throw .rollback(found: found, expected: position) }
        if found == position, foundTag != tag { throw .fork }
    }

    /// Reads decimal digits; nil for any other byte, or if the number is too large.
    private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in text {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(UInt64(byte - 0x30))
            guard !isTooLarge, !isLarger else { return nil }
            number = sum
        }
        return number
    }

    private static func write(_ number: UInt64, in bytes: inout [UInt8], at offset: Int, digits: Int) {
        var rest = number
        for index in stride(from: offset + digits - 1, through: offset, by: -1) {
            bytes[index] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }
}
