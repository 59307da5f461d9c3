/// A code of any of the six kinds.
public enum ExchangeCode: Hashable, Sendable {
    case offer(OfferCode)
    case answer(AnswerCode)
    case rotate(RotateCode)
    case accept(AcceptCode)
    case revoke(RevokeCode)
    case verify(VerifyCode)

    /// Reads the code whose kind the second byte names.
    ///
    /// - Throws: `malformed` for an unknown kind or fewer than two bytes; `unsupportedVersion` for any version but 01;
    ///   otherwise the errors of that kind.
    public init(bytes: [UInt8]) throws(HSIPError) {
        guard bytes.count >= 2 else { throw .malformed }
        guard bytes[0] == 1 else { throw .unsupportedVersion }
        guard let kind = CodeKind(rawValue: bytes[1]) else { throw .malformed }
        self =
            switch kind {
            case .offer: .offer(try OfferCode(bytes: bytes))
            case .answer: .answer(try AnswerCode(bytes: bytes))
            case .rotate: .rotate(try RotateCode(bytes: bytes))
            case .accept: .accept(try AcceptCode(bytes: bytes))
            case .revoke: .revoke(try RevokeCode(bytes: bytes))
            case .verify: .verify(try VerifyCode(bytes: bytes))
            }
    }

    /// The kind of the code.
    public var kind: CodeKind {
        switch self {
        case .offer: .offer
        case .answer: .answer
        case .rotate: .rotate
        case .accept: .accept
        case .revoke: .revoke
        case .verify: .verify
        }
    }

    /// The exact encoding.
    public var bytes: [UInt8] {
        switch self {
        case .offer(let code): code.bytes
        case .answer(let code): code.bytes
        case .rotate(let code): code.bytes
        case .accept(let code): code.bytes
        case .revoke(let code): code.bytes
        case .verify(let code): code.bytes
        }
    }

    /// The header; nil for a VERIFY, which does not have times.
    public var header: CodeHeader? {
        switch self {
        case .offer(let code): code.header
        case .answer(let code): code.header
        case .rotate(let code): code.header
        case .accept(let code): code.header
        case .revoke(let code): code.header
        case .verify: nil
        }
    }

    /// The code as text: upper case, every character in QR alphanumeric mode.
    public var text: String { Bech32m.codeText(bytes, kind: kind) }
}
