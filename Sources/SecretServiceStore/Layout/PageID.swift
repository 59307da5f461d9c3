internal import VaultCrypto

/// What a page is called: 8 random bytes, never used twice.
struct PageID: Hashable, Sendable {
    /// Bytes of an id.
    static let size = 8

    let bytes: [UInt8]

    /// The value of the attribute.
    var hex: String { Hex.encode(bytes) }
}

/// A page as the root or an entry names it: only this content counts.
struct PageReference: Equatable, Sendable {
    let id: PageID
    /// The authenticated mark of the page, 32 bytes.
    let tag: [UInt8]
}
