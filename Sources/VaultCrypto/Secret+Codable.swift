/// A secret crosses a process boundary beside what names it, never inside it.
///
/// Only a coder that knows secrets takes one, and then it does not come here; any other gets an error, so that no
/// secret ends in a text by mistake.
extension Secret: Codable {
    /// Refuses.
    public func encode(to encoder: any Encoder) throws {
        throw CryptoError.malformedText
    }

    /// Refuses.
    public convenience init(from decoder: any Decoder) throws {
        throw CryptoError.malformedText
    }
}
