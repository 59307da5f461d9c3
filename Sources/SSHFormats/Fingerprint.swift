internal import Crypto
internal import VaultCrypto

/// The short form of a public key that people compare.
///
/// A certificate has the fingerprint of its plain key.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The hash of a fingerprint.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case sha256 = "SHA256"
        /// For comparison with old lists only: MD5 can be forged.
        case md5 = "MD5"
    }

    /// The hash that made it.
    public let kind: Kind
    /// The digest: 32 bytes of SHA-256 or 16 of MD5.
    public let digest: [UInt8]

    /// Computes the fingerprint of a key.
    public init(of key: PublicKey, _ kind: Kind = .sha256) {
        self.kind = kind
        let blob = key.plain.blob
        digest =
            switch kind {
            case .sha256: Hash.sha256(blob)
            case .md5: Array(Insecure.MD5.hash(data: blob))
            }
    }

    /// Creates a SHA-256 fingerprint from its 32 bytes.
    package init(sha256 digest: [UInt8]) {
        kind = .sha256
        self.digest = digest
    }

    /// Reads a fingerprint as `ssh-keygen -l` prints it: `SHA256:` and base64, or `MD5:` and pairs of digits.
    ///
    /// Base64 may be padded. MD5 may have no prefix, as old programs print it. Returns nil for any other text.
    public init?(_ text: String) {
        if text.hasPrefix("SHA256:") {
            let body = Array(text.utf8.dropFirst(7))
            let padded = body.count == 43 ? body + [0x3D] : body
            guard let digest = StrictBase64.decode(padded), digest.count == 32 else { return nil }
            (kind, self.digest) = (.sha256, digest)
            return
        }
        let body = text.hasPrefix("MD5:") ? text.dropFirst(4) : text[...]
        let pairs = body.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 16, pairs.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        guard let digest = Hex.decode(pairs.joined()), digest.count == 16 else { return nil }
        (kind, self.digest) = (.md5, digest)
    }

    /// The fingerprint as `ssh-keygen -l` prints it.
    public var description: String {
        switch kind {
        case .sha256: "SHA256:" + StrictBase64.encode(digest).prefix { $0 != "=" }
        case .md5: "MD5:" + digest.map { Hex.encode([$0]) }.joined(separator: ":")
        }
    }
}

extension PublicKey {
    /// The SHA-256 fingerprint; for a certificate, the fingerprint of its plain key.
    public var fingerprint: Fingerprint { Fingerprint(of: self) }
}

/// The picture that `ssh-keygen -lv` draws of a fingerprint: a worm moves over a field and leaves a trail.
///
/// Different pictures mean different keys. Similar pictures prove nothing.
public enum Randomart {
    private static let width = 17
    private static let height = 9
    /// The signs of the fields, by the number of visits; the last two mark the start and the end of the trail.
    private static let signs = Array(" .o+=*BOX@%&#/^SE".utf8)

    /// Returns the eleven lines of the picture.
    ///
    /// The key's type and size are above it, the name of the hash is below.
    public static func lines(of key: PublicKey, _ kind: Fingerprint.Kind = .sha256) -> [String] {
        let digest = Fingerprint(of: key, kind).digest
        let rows = field(digest).map { row in
            "|" + String(decoding: row.map { signs[$0] }, as: UTF8.self) + "|"
        }
        return [border(title(of: key))] + rows + [border("[\(kind.rawValue)]")]
    }

    private static func field(_ digest: [UInt8]) -> [[Int]] {
        var field = [[Int]](repeating: [Int](repeating: 0, count: width), count: height)
        var (x, y) = (width / 2, height / 2)
        for byte in digest {
            for shift in stride(from: UInt8(0), to: 8, by: 2) {
                let move = byte >> shift
                x = min(max(x + (move & 1 == 1 ? 1 : -1), 0), width - 1)
                y = min(max(y + (move & 2 == 2 ? 1 : -1), 0), height - 1)
                field[y][x] = min(field[y][x] + 1, signs.count - 3)
            }
        }
        field[height / 2][width / 2] = signs.count - 2
        field[y][x] = signs.count - 1
        return field
    }

    /// Returns type and size if they fit into 16 characters, otherwise the type.
    ///
    /// OpenSSH truncates a longer text, except a text that is only one character too long.
    private static func title(of key: PublicKey) -> String {
        let name = key.algorithm.shortName
        let whole = "[\(name) \(key.bits ?? 0)]"
        return String((whole.count <= width ? whole : "[\(name)]").prefix(width - 1))
    }

    private static func border(_ text: String) -> String {
        let left = (width - text.count) / 2
        let dashes = { String(repeating: "-", count: $0) }
        return "+" + dashes(left) + text + dashes(width - text.count - left) + "+"
    }
}

/// The fingerprint of a host key in the DNS (RFC 4255, 6594, 7479).
///
/// It is evidence only if DNSSEC protected the response.
public struct SSHFP: Hashable, Sendable, CustomStringConvertible {
    /// The hash of a record.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// For comparison with old records only.
        case sha1 = 1
        case sha256 = 2
    }

    /// The number of the key type: 1 RSA, 2 DSA, 3 ECDSA, 4 Ed25519.
    public let algorithm: UInt8
    /// The hash that made it.
    public let kind: Kind
    /// The digest: 20 bytes of SHA-1 or 32 of SHA-256.
    public let digest: [UInt8]

    /// Creates the record of a key; nil if the key type has no number.
    public init?(of key: PublicKey, _ kind: Kind = .sha256) {
        switch key.algorithm {
        case .rsa: algorithm = 1
        case .dsa: algorithm = 2
        case .ecdsa: algorithm = 3
        case .ed25519: algorithm = 4
        case .securityEd25519, .securityECDSA, .certificate, .unknown: return nil
        }
        self.kind = kind
        digest =
            switch kind {
            case .sha1: Array(Insecure.SHA1.hash(data: key.blob))
            case .sha256: Hash.sha256(key.blob)
            }
    }

    /// Returns both records of a key, as `ssh-keygen -r` prints them; empty if the key type has no number.
    public static func all(of key: PublicKey) -> [SSHFP] {
        Kind.allCases.compactMap { SSHFP(of: key, $0) }
    }

    /// The text after `IN SSHFP` in a zone file.
    public var description: String { "\(algorithm) \(kind.rawValue) \(Hex.encode(digest))" }
}
