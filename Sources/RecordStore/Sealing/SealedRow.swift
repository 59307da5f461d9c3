/// A record as it is stored: nothing in it is readable without the keys.
package struct SealedRow: Equatable, Sendable {
    /// Bytes of a seal: nonce and tag of the meta, nonce and tag of the body.
    package static let sealSize = 2 * Envelope.openingSize

    /// The key of the row.
    package let id: RowID
    /// 80 bytes.
    package let seal: [UInt8]
    /// Everything but the secret, encrypted.
    package let meta: [UInt8]
    /// The secret, encrypted; empty when the row was read without it.
    package let body: [UInt8]

    /// A row as it was read.
    package init(id: RowID, seal: [UInt8], meta: [UInt8], body: [UInt8]) {
        self.id = id
        self.seal = seal
        self.meta = meta
        self.body = body
    }
}
