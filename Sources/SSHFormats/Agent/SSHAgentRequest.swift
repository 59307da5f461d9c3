public import VaultCrypto

/// A program's request to an ssh agent (RFC 9987, and OpenSSH's `session-bind@openssh.com`).
public enum SSHAgentRequest: Sendable {
    /// List the keys.
    case list
    /// Sign data with the key of a blob, which may be a certificate.
    case sign(key: [UInt8], data: [UInt8], flags: UInt32)
    /// Take a key.
    case add(SSHAgentAddition)
    /// Remove one.
    case remove(key: [UInt8])
    /// Remove all of them.
    case removeAll
    /// Show and use none, until the same passphrase comes back.
    case lock(Secret)
    case unlock(Secret)
    /// This connection serves that session.
    case bind(SessionBind)
    /// A bind that cannot be read: the connection serves an unknown session.
    case unreadableBind
    /// Which extensions there are.
    case query
    /// "Remove all" of the first protocol: there is nothing of it, so all of it is gone.
    case forgetOld
    /// A message or an extension that is not served.
    case unsupported

    /// Wants RSA with SHA-256.
    public static let rsaSHA256: UInt32 = 2
    /// Wants RSA with SHA-512.
    public static let rsaSHA512: UInt32 = 4
    /// The answer to `query`.
    public static let extensions = [SSHAgentCode.bindExtension]

    /// Reads a message.
    ///
    /// Bytes after what a message needs are not looked at, as OpenSSH does it, except after constraints.
    ///
    /// - Throws: `SSHFormatError` for one that is answered with a failure.
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

/// The numbers of messages between ssh and its agent (RFC 9987, OpenSSH's PROTOCOL.agent).
enum SSHAgentCode {
    // Replies
    static let failure: UInt8 = 5
    static let success: UInt8 = 6
    static let identities: UInt8 = 12
    static let signature: UInt8 = 14
    static let extensionFailure: UInt8 = 28
    static let extensionResponse: UInt8 = 29
    // Requests
    /// "Remove all" of the first protocol, which `ssh-add -D` still sends along.
    static let forgetOld: UInt8 = 9
    static let list: UInt8 = 11
    static let sign: UInt8 = 13
    static let add: UInt8 = 17
    static let remove: UInt8 = 18
    static let removeAll: UInt8 = 19
    /// Smartcards: refused, but their bodies hold a PIN.
    static let addCard: UInt8 = 20
    static let removeCard: UInt8 = 21
    static let lock: UInt8 = 22
    static let unlock: UInt8 = 23
    static let addConstrained: UInt8 = 25
    static let addCardConstrained: UInt8 = 26
    static let extended: UInt8 = 27

    /// Requests that carry a private key, a passphrase or a PIN.
    static let secret: Set<UInt8> = [
        add, addConstrained, addCard, removeCard, addCardConstrained, lock, unlock,
    ]

    static let bindExtension = "session-bind@openssh.com"
    static let queryExtension = "query"
}

/// One whole message to an agent: its number, and what follows it.
public enum SSHAgentFrame: Sendable {
    /// Nothing in it is secret.
    case open(code: UInt8, body: [UInt8])
    /// It carries a private key or a passphrase.
    case secret(code: UInt8, body: Secret)
}
