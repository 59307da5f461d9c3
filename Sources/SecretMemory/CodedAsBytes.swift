/// A value that is encoded as its bytes, and that its own checks judge when it is decoded.
public protocol CodedAsBytes: Codable {
    /// The bytes that say everything about it.
    var codedBytes: [UInt8] { get }

    /// The value of some bytes; an error, whatever it is, when they say none.
    init(codedBytes: [UInt8]) throws
}

extension CodedAsBytes {
    /// Encodes the bytes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(codedBytes)
    }

    /// Decodes the bytes and checks them.
    public init(from decoder: any Decoder) throws {
        try self.init(codedBytes: try decoder.singleValueContainer().decode([UInt8].self))
    }
}
