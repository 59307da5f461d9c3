internal import VaultCrypto

/// A public key as OpenSSH writes it: its type, its bytes, and a comment that belongs to the file.
///
/// Values are equal if type, bytes and comment are equal; `isSameKey` ignores the comment.
public struct PublicKey: Hashable, Sendable {
    /// The size of the longest blob that is read: far above any real key or certificate.
    public static let longestBlob = 256 << 10

    /// The length of the longest comment that an agent accepts, lists and searches, in bytes.
    public static let longestComment = 1024

    /// The type inside the blob.
    public let algorithm: KeyAlgorithm
    /// The key in wire format (RFC 4253 section 6.6), with numbers in their shortest form.
    public let blob: [UInt8]
    /// The text after the key: any bytes except line breaks.
    ///
    /// In old files it is often not UTF-8.
    public var comment: [UInt8]

    /// Reads a key from its wire format.
    ///
    /// A key of an unknown type is accepted unchanged. For a certificate only the plain key is checked;
    /// `Certificate` reads the rest.
    ///
    /// - Throws: `SSHFormatError` for every form that OpenSSH also refuses.
    public init(blob: [UInt8], comment: [UInt8] = []) throws(SSHFormatError) {
        guard blob.count <= Self.longestBlob else { throw .oversized(limit: Self.longestBlob) }
        var reader = WireReader(blob)
        algorithm = KeyAlgorithm(name: try reader.name())
        switch algorithm {
        case .unknown:
            self.blob = blob
        case .certificate:
            _ = try Self.certifiedParts(in: blob)
            self.blob = blob
        default:
            let parts = try PublicParts(algorithm, from: &reader)
            try reader.finish()
            self.blob = Self.blob(of: algorithm, parts)
        }
        self.comment = comment
    }

    /// Creates a key from parts that were validated.
    init(_ algorithm: KeyAlgorithm, _ parts: PublicParts, comment: [UInt8] = []) {
        self.algorithm = algorithm
        self.comment = comment
        blob = Self.blob(of: algorithm, parts)
    }

    /// The comment as a key list of an agent shows it: its first line, truncated to `longestComment` bytes.
    ///
    /// OpenSSH reads no list with a zero byte in a comment, and prints a line break as it is.
    public var listedComment: [UInt8] {
        Array(comment.prefix { $0 != 0 && $0 != 0x0A && $0 != 0x0D }.prefix(Self.longestComment))
    }

    /// Whether both are the same key; comments are ignored.
    ///
    /// A certificate is not the same as its plain key; compare `plain` for that.
    public func isSameKey(as other: PublicKey) -> Bool {
        blob == other.blob
    }

    /// The key that a certificate certifies; for any other key, the key itself.
    public var plain: PublicKey {
        guard algorithm.isCertificate else { return self }
        return PublicKey(algorithm.certified, parts, comment: comment)
    }

    /// Bits of the key as `ssh-keygen -l` counts them; nil for an unknown type.
    public var bits: Int? { parts.bits }

    /// The parsed fields; for a certificate, the fields of its plain key.
    ///
    /// They were parsed when the key was read, so that parsing cannot fail here.
    var parts: PublicParts {
        if algorithm.isCertificate { return (try? Self.certifiedParts(in: blob)) ?? .opaque }
        var reader = WireReader(blob)
        guard (try? reader.name()) != nil else { return .opaque }
        return (try? PublicParts(algorithm, from: &reader)) ?? .opaque
    }

    /// Returns the fields of the key inside a certificate, which follow the name and the nonce.
    private static func certifiedParts(in blob: [UInt8]) throws(SSHFormatError) -> PublicParts {
        var reader = WireReader(blob)
        let algorithm = KeyAlgorithm(name: try reader.name())
        _ = try reader.string()
        return try PublicParts(algorithm.certified, from: &reader)
    }

    private static func blob(of algorithm: KeyAlgorithm, _ parts: PublicParts) -> [UInt8] {
        var writer = WireWriter()
        writer.string(algorithm.name)
        parts.write(to: &writer)
        return writer.bytes
    }
}

extension PublicKey {
    /// Reads type, base64 and comment from a line of known_hosts or allowed_signers; nil if ssh could not read them.
    ///
    /// It is looser than `init(line:)` where ssh is (`sshkey_read` in sshkey.c): white space may stand within
    /// the base64, RSA keys may go by the names of their signatures, and DSA keys are kept as bytes.
    init?(knownHostsText text: ArraySlice<UInt8>) {
        var rest = text
        let name = String(decoding: rest.cutField(), as: UTF8.self)
        let base64 = rest.cutField().filter { !(0x09...0x0D).contains($0) }
        guard !name.isEmpty, base64.count <= Self.longestLine, let blob = StrictBase64.decode(base64) else {
            return nil
        }
        if rest.last == 0x0D { rest.removeLast() }
        guard let key = PublicKey(known: blob, comment: Array(rest)) else { return nil }
        self = key
        guard algorithm.name == name || Self.otherNames[name] == algorithm.name else { return nil }
    }

    /// Creates a key from a line: a valid key, or a DSA key as its bytes; nil for anything else.
    init?(known blob: [UInt8], comment: [UInt8]) {
        let good = try? PublicKey(blob: blob, comment: comment)
        guard let key = good ?? PublicKey(bytesOnly: blob, comment: comment) else { return nil }
        self = key
    }

    /// Names that OpenSSH accepts for a type although the key itself contains another.
    private static let otherNames = [
        "rsa-sha2-256": "ssh-rsa",
        "rsa-sha2-512": "ssh-rsa",
        "rsa-sha2-256-cert-v01@openssh.com": "ssh-rsa-cert-v01@openssh.com",
        "rsa-sha2-512-cert-v01@openssh.com": "ssh-rsa-cert-v01@openssh.com",
        "webauthn-sk-ecdsa-sha2-nistp256@openssh.com": "sk-ecdsa-sha2-nistp256@openssh.com",
    ]

    /// Creates a DSA key without validation of its numbers, so that a host with such a key is still recognised.
    private init?(bytesOnly blob: [UInt8], comment: [UInt8]) {
        var reader = WireReader(blob)
        guard let name = try? reader.name(), KeyAlgorithm(name: name) == .dsa else { return nil }
        for _ in 0..<4 {
            guard (try? reader.mpint()) != nil else { return nil }
        }
        guard reader.isAtEnd else { return nil }
        algorithm = .dsa
        self.blob = blob
        self.comment = comment
    }
}
