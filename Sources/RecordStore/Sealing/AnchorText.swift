internal import VaultCrypto

/// The newest head somebody has seen, as 128 bytes of text kept outside the vault's folder.
///
/// `HSIP-ANCHOR-1 <vault id> <key epoch> <generation> <head tag>`, blanks, a line feed at byte 127
/// (Schemas/vault-file.md section 4). It carries no MAC: who can write it can delete it.
package struct AnchorText: Equatable, Sendable {
    /// Bytes of the text.
    package static let size = 128
    private static let magic = "HSIP-ANCHOR-1"

    /// Whose anchor it is.
    package let vaultID: [UInt8]
    /// The newest place in the history.
    package let position: Position
    /// The tag of the head there.
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
        guard bytes.count == Self.size else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count >= 5, let vaultID = Hex.decode(String(fields[1])),
            let epoch = UInt32(fields[2]), let generation = UInt64(fields[3]),
            let tag = Hex.decode(String(fields[4]))
        else { return nil }
        self.init(vaultID: vaultID, position: Position(epoch: epoch, generation: generation), tag: tag)
        // One text for one anchor: signs, capitals and missing digits do not come out the same.
        guard vaultID.count == 16, tag.count == 16, encoded == bytes else { return nil }
    }

    /// The 128 bytes.
    package var encoded: [UInt8] {
        let fields = [
            Self.magic, Hex.encode(vaultID), Self.digits(position.epoch, 10),
            Self.digits(position.generation, 20), Hex.encode(tag),
        ]
        let text = Array(fields.joined(separator: " ").utf8)
        return text + Array(repeating: 0x20, count: max(0, Self.size - 1 - text.count)) + [0x0A]
    }

    /// Compares a head with the newest one seen.
    ///
    /// - Throws: `StoreError.rollback` when the head is older, `fork` when it is as old but another.
    package func check(_ found: Position, tag foundTag: [UInt8]) throws(StoreError) {
        if found < position { throw .rollback(found: found, expected: position) }
        if found == position, foundTag != tag { throw .fork }
    }

    private static func digits(_ number: some FixedWidthInteger, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
