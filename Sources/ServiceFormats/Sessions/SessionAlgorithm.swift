/// How values travel over the bus, by the names of the Secret Service specification.
package enum SessionAlgorithm: String, CaseIterable, Sendable {
    /// In clear: every program that may listen on the bus reads them.
    case plain
    /// Under a key that both ends agree on; nothing shows a client whom it agreed with.
    case encrypted = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
}

/// What OpenSession takes and answers: a variant of one of two types.
package enum SessionInput: Equatable, Sendable {
    /// `s`.
    case text(String)
    /// `ay`.
    case bytes([UInt8])
}
