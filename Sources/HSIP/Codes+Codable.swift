public import VaultCrypto

// These values are encoded as their bytes, which are checked when they are decoded.

extension PeerID: CodedAsBytes {
    /// The 32 bytes.
    public var codedBytes: [UInt8] { bytes }

    /// A PeerID of 32 bytes.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let id = PeerID(bytes: bytes) else { throw HSIPError.malformed }
        self = id
    }
}

extension PairingID: CodedAsBytes {
    /// The 16 bytes.
    public var codedBytes: [UInt8] { bytes }

    /// A name of 16 bytes.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let id = PairingID(bytes: bytes) else { throw HSIPError.malformed }
        self = id
    }
}

extension ExchangeCode: CodedAsBytes {
    /// The exact encoding.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the code.
    public init(codedBytes bytes: [UInt8]) throws { try self.init(bytes: bytes) }
}

extension OfferCode: CodedAsBytes {
    /// The exact encoding.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the code.
    public init(codedBytes bytes: [UInt8]) throws { try self.init(bytes: bytes) }
}

extension RevokeCode: CodedAsBytes {
    /// The exact encoding.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the code.
    public init(codedBytes bytes: [UInt8]) throws { try self.init(bytes: bytes) }
}

extension VerifyCode: CodedAsBytes {
    /// The exact encoding.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the code.
    public init(codedBytes bytes: [UInt8]) throws { try self.init(bytes: bytes) }
}

extension MessageEnvelope: CodedAsBytes {
    /// The whole message.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the message.
    public init(codedBytes bytes: [UInt8]) throws { try self.init(bytes: bytes) }
}

extension SafetyNumber: CodedAsBytes {
    /// The 60 digits.
    public var codedBytes: [UInt8] { Array(digits.utf8) }

    /// Reads the 60 digits.
    public init(codedBytes bytes: [UInt8]) throws {
        guard bytes.count == 60, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw HSIPError.malformed
        }
        self.init(digits: String(decoding: bytes, as: UTF8.self))
    }
}
