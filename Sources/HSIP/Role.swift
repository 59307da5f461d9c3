/// Who a person is in a pairing, for the life of that pairing; a rotation never swaps the two.
public enum Role: UInt8, CaseIterable, Sendable, Codable {
    /// Made the offer; sends with the key i2r.
    case offerer = 0
    /// Made the answer; sends with the key r2i.
    case answerer = 1

    /// The byte in the MACs of rotate and revoke: it stops a code from being reflected to its author.
    public var byte: UInt8 { rawValue }

    /// The other side.
    public var peer: Role { self == .offerer ? .answerer : .offerer }
}
