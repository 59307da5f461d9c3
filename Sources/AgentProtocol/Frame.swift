public import VaultCrypto

/// One frame of the control socket: what kind it is, which request it belongs to, and its body.
public struct Frame: Sendable {
    /// The body: only that of a bytes frame is secret.
    public enum Body: Sendable {
        /// JSON, or encoded arguments.
        case plain([UInt8])
        /// In locked memory, and nowhere else.
        case secret(Secret)
    }

    /// What kind it is.
    public let kind: FrameKind
    /// The request that it belongs to; 0 is the hello.
    public let request: UInt32
    /// Its body.
    public let body: Body

    /// A frame without a secret.
    public init(_ kind: FrameKind, request: UInt32, _ bytes: [UInt8] = []) {
        self.kind = kind
        self.request = request
        body = .plain(bytes)
    }

    /// A frame that is a secret.
    public init(secret: Secret, request: UInt32) {
        kind = .bytes
        self.request = request
        body = .secret(secret)
    }

    /// The body of a frame that is no secret; empty for one that is.
    public var plain: [UInt8] {
        if case .plain(let bytes) = body { bytes } else { [] }
    }

    var header: FrameHeader {
        switch body {
        case .plain(let bytes): FrameHeader(kind, request: request, count: bytes.count)
        case .secret(let secret): FrameHeader(kind, request: request, count: secret.count)
        }
    }
}
