/// The curves of ECDSA keys (RFC 5656 section 10.1).
public enum ECDSACurve: String, CaseIterable, Hashable, Sendable, Codable {
    case p256 = "nistp256"
    case p384 = "nistp384"
    case p521 = "nistp521"

    /// Bits in the order of the curve, as `ssh-keygen -l` counts them.
    public var bits: Int {
        switch self {
        case .p256: 256
        case .p384: 384
        case .p521: 521
        }
    }

    /// Bytes in a private number or a coordinate.
    public var scalarSize: Int { (bits + 7) / 8 }

    /// Bytes in a public point, uncompressed (SEC 1 section 2.3.3).
    public var pointSize: Int { 1 + 2 * scalarSize }
}
