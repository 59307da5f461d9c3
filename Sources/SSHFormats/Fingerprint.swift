internal import Crypto
internal import VaultCrypto

/// The short form of a public key that people compare; of a certificate, the one of its plain key.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// The two ways to make it.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case sha256 = "SHA256"
        /// Only for comparing with old lists: MD5 can be forged.
        case md5 = "MD5"
    }

    /// How it was made.
    public let kind: Kind
    /// The digest: 32 bytes of SHA-256 or 16 of MD5.
    public let digest: [UInt8]

    /// The fingerprint of a key.
    public init(of key: PublicKey, _ kind: Kind = .sha256) {
        self.kind = kind
        let blob = key.plain.blob
        digest =
            switch kind {
            case .sha256: Hash.sha256(blob)
            case .md5: Array(Insecure.MD5.hash(data: blob))
            }
    }

    /// A SHA-256 fingerprint by its 32 bytes.
    package init(sha256 digest: [UInt8]) {
        kind = .sha256
        self.digest = digest
    }

    /// Reads a fingerprint as `ssh-keygen -l` prints it: `SHA256:` and base64, or `MD5:` and pairs of digits.
    ///
    /// Padding after the base64 is accepted, and MD5 also without its name, as old programs print it. Nil for
    /// anything else.
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

    /// The text as `ssh-keygen -l` prints it.
    public var description: String {
        switch kind {
        case .sha256: "SHA256:" + StrictBase64.encode(digest).prefix { $0 != "=" }
        case .md5: "MD5:" + digest.map { Hex.encode([$0]) }.joined(separator: ":")
        }
    }
}

extension PublicKey {
    /// The SHA-256 fingerprint; of a certificate, the one of its plain key.
    public var fingerprint: Fingerprint { Fingerprint(of: self) }
}

/// The picture that `ssh-keygen -lv` draws of a fingerprint: a worm walks over a field and leaves a trace.
///
/// Pictures that differ are of different keys; pictures that look alike prove nothing.
public enum Randomart {
    private static let width = 17
    private static let height = 9
    /// Signs for places by how often the worm was there; the last two are where it began and ended.
    private static let signs = Array(" .o+=*BOX@%&#/^SE".utf8)

    /// The eleven lines of the picture, with the key's type and size above and the digest's name below.
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

    /// Type and size if they fit into 16 characters, else the type; OpenSSH cuts what is still too long, and does
    /// not notice when it is just one character.
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

/// The fingerprint of a host key as it stands in the DNS (RFC 4255, 6594, 7479).
///
/// It proves something only where the answer came with DNSSEC.
public struct SSHFP: Hashable, Sendable, CustomStringConvertible {
    /// How a key is shortened.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        /// Only for comparing with old records.
        case sha1 = 1
        case sha256 = 2
    }

    /// The number of the key's type: 1 RSA, 2 DSA, 3 ECDSA, 4 Ed25519.
    public let algorithm: UInt8
    /// How it was made.
    public let kind: Kind
    /// 20 bytes of SHA-1 or 32 of SHA-256.
    public let digest: [UInt8]

    /// The record of a key; nil for a type that has no number.
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

    /// Both records of a key, as `ssh-keygen -r` prints them; none for a type without a number.
    public static func all(of key: PublicKey) -> [SSHFP] {
        Kind.allCases.compactMap { SSHFP(of: key, $0) }
    }

    /// What stands after `IN SSHFP` in a zone file.
    public var description: String { "\(algorithm) \(kind.rawValue) \(Hex.encode(digest))" }
}
