internal import VaultCrypto

extension PublicKey: Codable {
    private enum CodingKeys: String, CodingKey { case blob, comment }

    /// Encodes bytes and comment.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(blob, forKey: .blob)
        try container.encode(comment, forKey: .comment)
    }

    /// Decodes a key, and refuses one that no file or line could hold.
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

    /// Decodes the parts, and refuses those that make no profile.
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
