public import VaultCrypto

// Values whose bytes are checked when they are read: encoded as these bytes.

extension HostID: CodedAsBytes {
    /// The 16 bytes.
    public var codedBytes: [UInt8] { bytes }

    /// An identifier of 16 bytes.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let id = HostID(bytes: bytes) else { throw SSHFormatError.badIdentifier }
        self = id
    }
}

extension HostPattern: CodedAsBytes {
    /// The names as they are written.
    public var codedBytes: [UInt8] { text }

    /// Reads names that a line could hold.
    public init(codedBytes bytes: [UInt8]) throws {
        guard !bytes.isEmpty, !bytes.contains(where: { [0x20, 0x09, 0x0A, 0].contains($0) }),
            let pattern = HostPattern(written: bytes)
        else { throw SSHFormatError.badHostPattern }
        self = pattern
    }
}

extension KnownHostsFile: CodedAsBytes {
    /// The whole file.
    public var codedBytes: [UInt8] { bytes }

    /// Reads the file.
    public init(codedBytes bytes: [UInt8]) throws { self.init(bytes) }
}

extension KeyAlgorithm: CodedAsBytes {
    /// Its name in UTF-8.
    public var codedBytes: [UInt8] { Array(name.utf8) }

    /// The type of a name.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let name = String(validating: bytes, as: UTF8.self) else { throw SSHFormatError.malformed }
        self.init(name: name)
    }
}

extension Fingerprint: CodedAsBytes {
    /// The text as `ssh-keygen -l` prints it.
    public var codedBytes: [UInt8] { Array(description.utf8) }

    /// Reads the text.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self), let fingerprint = Fingerprint(text) else {
            throw SSHFormatError.malformed
        }
        self = fingerprint
    }
}

extension HostName: CodedAsBytes {
    /// The name that is looked up; an alias has `=` before it, which no name begins with.
    public var codedBytes: [UInt8] { (isAlias ? [0x3D] : []) + Array(lookup.utf8) }

    /// Reads the name.
    public init(codedBytes bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SSHFormatError.badHostName }
        if text.utf8.first == 0x3D {
            try self.init(alias: String(text.dropFirst()))
        } else {
            try self.init(lookup: text)
        }
    }
}

extension PublicKey: Codable {
    private enum CodingKeys: String, CodingKey { case blob, comment }

    /// Encodes bytes and comment.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(blob, forKey: .blob)
        try container.encode(comment, forKey: .comment)
    }

    /// Decodes a key, and refuses a key that no file or line could contain.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let blob = try container.decode([UInt8].self, forKey: .blob)
        guard let key = PublicKey(known: blob, comment: try container.decode([UInt8].self, forKey: .comment))
        else { throw SSHFormatError.malformed }
        self = key
    }
}

extension HostProfile: Codable {
    private enum CodingKeys: String, CodingKey { case id, fields }

    /// Encodes the identifier and the parts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(fields, forKey: .fields)
    }

    /// Decodes the parts, and refuses invalid parts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: try container.decode(HostID.self, forKey: .id),
            try container.decode(Fields.self, forKey: .fields)
        )
    }
}

extension KeyRecord: Codable {
    /// Encodes all of it as one secret, so only for a coder that knows secrets.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(try content())
    }

    /// Decodes the secret.
    public init(from decoder: any Decoder) throws {
        try self.init(content: try decoder.singleValueContainer().decode(Secret.self))
    }
}
