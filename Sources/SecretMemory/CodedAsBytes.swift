/// A value that is encoded as its bytes, and checked when it is decoded.
public protocol CodedAsBytes: Codable {
    /// The bytes that determine the value.
    var codedBytes: [UInt8] { get }

    /// Makes the value from its bytes; throws any error if they are not valid.
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
