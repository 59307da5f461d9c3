public import VaultCrypto

/// A program's request to an ssh agent (RFC 9987, and OpenSSH's `session-bind@openssh.com`).
public enum SSHAgentRequest: Sendable {
    /// List the keys.
    case list
    /// Sign data with the key of a blob, which may be a certificate.
    case sign(key: [UInt8], data: [UInt8], flags: UInt32)
    /// Add a key.
    case add(SSHAgentAddition)
    /// Remove a key.
    case remove(key: [UInt8])
    /// Remove all keys.
    case removeAll
    /// Lock the agent: list and use no keys until the same passphrase unlocks it.
    case lock(Secret)
    case unlock(Secret)
    /// Bind this connection to an SSH session.
    case bind(SessionBind)
    /// A binding that cannot be read: the connection belongs to an unknown session.
    case unreadableBind
    /// List the supported extensions.
    case query
    /// Remove all keys of protocol version 1.
    ///
    /// The agent has no such keys, so that it always succeeds.
    case forgetOld
    /// A message or an extension that is not supported.
    case unsupported

    /// The flag for RSA with SHA-256.
    public static let rsaSHA256: UInt32 = 2
    /// The flag for RSA with SHA-512.
    public static let rsaSHA512: UInt32 = 4
    /// The response to `query`.
    public static let extensions = [SSHAgentCode.bindExtension]

    /// Reads a message.
    ///
    /// Extra bytes after the fields of a message are ignored, as in OpenSSH, except after constraints.
    ///
    /// - Throws: `SSHFormatError` for a message that is answered with a failure.
    public init(_ frame: SSHAgentFrame) throws(SSHFormatError) {
        switch frame {
        case .open(let code, let body): self = try Self.open(code, WireReader(body))
        case .secret(let code, let body): self = try Self.secret(code, body)
        }
    }

    private static func open(_ code: UInt8, _ body: WireReader) throws(SSHFormatError) -> SSHAgentRequest {
        var body = body
        switch code {
        case SSHAgentCode.list: return .list
        case SSHAgentCode.sign:
            let (key, data) = (try body.string(), try body.string())
            return .sign(key: key, data: data, flags: try body.uint32())
        case SSHAgentCode.remove: return .remove(key: try body.string())
        case SSHAgentCode.removeAll: return .removeAll
        case SSHAgentCode.forgetOld: return .forgetOld
        case SSHAgentCode.extended:
            switch try body.name() {
            case SSHAgentCode.queryExtension: return .query
            case SSHAgentCode.bindExtension:
                guard let bind = try? SessionBind(from: &body) else { return .unreadableBind }
                return .bind(bind)
            default: return .unsupported
            }
        default: return .unsupported
        }
    }

    private static func secret(_ code: UInt8, _ body: Secret) throws(SSHFormatError) -> SSHAgentRequest {
        var reader = SecretReader(body)
        switch code {
        case SSHAgentCode.lock: return .lock(Secret(try reader.secret(limit: SSHAgentFrameReader.longest)))
        case SSHAgentCode.unlock:
            return .unlock(Secret(try reader.secret(limit: SSHAgentFrameReader.longest)))
        case SSHAgentCode.add, SSHAgentCode.addConstrained: return .add(try SSHAgentAddition(from: &reader))
        default: return .unsupported
        }
    }
}

/// The message numbers between ssh and its agent (RFC 9987, OpenSSH's PROTOCOL.agent).
enum SSHAgentCode {
    // Replies
    static let failure: UInt8 = 5
    static let success: UInt8 = 6
    static let identities: UInt8 = 12
    static let signature: UInt8 = 14
    static let extensionFailure: UInt8 = 28
    static let extensionResponse: UInt8 = 29
    // Requests
    /// Remove all keys of protocol version 1; `ssh-add -D` still sends it.
    static let forgetOld: UInt8 = 9
    static let list: UInt8 = 11
    static let sign: UInt8 = 13
    static let add: UInt8 = 17
    static let remove: UInt8 = 18
    static let removeAll: UInt8 = 19
    /// Smartcards are not supported, but the bodies of these requests have a PIN.
    static let addCard: UInt8 = 20
    static let removeCard: UInt8 = 21
    static let lock: UInt8 = 22
    static let unlock: UInt8 = 23
    static let addConstrained: UInt8 = 25
    static let addCardConstrained: UInt8 = 26
    static let extended: UInt8 = 27

    /// The requests with a private key, a passphrase or a PIN.
    static let secret: Set<UInt8> = [
        add, addConstrained, addCard, removeCard, addCardConstrained, lock, unlock,
    ]

    static let bindExtension = "session-bind@openssh.com"
    static let queryExtension = "query"
}

/// A complete message to an agent: its number and its body.
public enum SSHAgentFrame: Sendable {
    /// A body without a secret.
    case open(code: UInt8, body: [UInt8])
    /// A body with a private key or a passphrase.
    case secret(code: UInt8, body: Secret)
}
