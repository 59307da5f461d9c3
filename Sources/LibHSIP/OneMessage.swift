internal import HSIP
internal import VaultCrypto

/// The one message that a text is about.
enum OneMessage {
    /// Finds it; the same message twice is one.
    ///
    /// - Throws: `several`; `noMessage` without any; `unsupportedVersion` for one of a newer program; `malformedMessage` for a
    ///   damaged one, and for a text that is too long.
    static func find(
        in text: borrowing BorrowedBytes,
        isStealth: Bool
    ) throws -> MessageEnvelope {
        guard text.count <= MessageText.longestText else { throw HSIPError.malformedMessage }
        let found = MessageText.find(in: text.withBytes { $0.copied() }, stealth: isStealth)
        let whole = Set(found.compactMap(\.envelope))
        guard whole.count < 2 else { throw LibraryError.several }
        guard let envelope = whole.first else {
            throw found.first?.refusal ?? HSIPError.noMessage
        }
        return envelope
    }
}
