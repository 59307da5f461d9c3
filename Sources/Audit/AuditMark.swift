/// A place in the audit log: how many entries there are, and a digest over all of them.
public struct AuditMark: Hashable, Sendable, Codable {
    /// Bytes in a link.
    package static let linkSize = 32

    /// The number of the last entry; the first one is 1, and 0 is the beginning.
    public let sequence: UInt64
    /// The digest over every entry up to it: 32 bytes.
    public let link: [UInt8]

    /// A place; `link` has `linkSize` bytes.
    package init(sequence: UInt64, link: [UInt8]) {
        self.sequence = sequence
        self.link = link
    }

    /// Before the first entry.
    package static let beginning = AuditMark(sequence: 0, link: [UInt8](repeating: 0, count: linkSize))
}
