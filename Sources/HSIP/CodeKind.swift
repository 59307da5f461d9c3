internal import VaultCrypto

/// The kind of a code: its second byte, and the word in its text.
public enum CodeKind: UInt8, CaseIterable, Hashable, Sendable, Codable {
    case offer = 1
    case answer = 2
    case rotate = 3
    case accept = 4
    case revoke = 5
    case verify = 6

    /// The human-readable part of the bech32m text, in lower case as in the checksum.
    public var hrp: String {
        switch self {
        case .offer: "offer"
        case .answer: "answer"
        case .rotate: "rotate"
        case .accept: "accept"
        case .revoke: "revoke"
        case .verify: "verify"
        }
    }

    /// Whether the code begins with the 14-byte header; VERIFY alone has none.
    public var hasHeader: Bool { self != .verify }

    /// The suites of this kind of code: suite 02 exists only for codes that exchange keys.
    public var suites: [Suite] { kemSize(.two) > 0 ? Suite.allCases : [.one] }

    /// Bytes of the KEM field: a public key of ML-KEM-768 in an offer or rotate, a ciphertext in an answer or accept.
    func kemSize(_ suite: Suite) -> Int {
        switch (suite, self) {
        case (.one, _), (.two, .revoke), (.two, .verify): 0
        case (.two, .offer), (.two, .rotate): MLKEM768.publicKeySize
        case (.two, .answer), (.two, .accept): MLKEM768.ciphertextSize
        }
    }
}

extension CodeKind {
    /// The length of a code of this kind in bytes, as soon as `head` holds the byte that decides it.
    ///
    /// The byte is 78 in an offer and 94 in an answer (the length of the name), and 14 in a revocation (the scope). The
    /// suite decides for rotate and accept. The length is nil while that byte is missing (Schemas/hsip-xc1.md section 2).
    ///
    /// - Throws: `malformed` for a name longer than 40 bytes and for an unknown scope.
    func byteCount(decidedBy head: [UInt8]) throws(HSIPError) -> Int? {
        guard head.count >= decidingCount else { return nil }
        let kem = hasHeader ? kemSize(Suite(rawValue: head[2]) ?? .one) : 0
        switch self {
        case .offer: return kem + OfferCode.fixedCount + (try Self.name(at: OfferCode.nameOffset, of: head))
        case .answer:
            return kem + AnswerCode.fixedCount + (try Self.name(at: AnswerCode.nameOffset, of: head))
        case .rotate: return kem + RotateCode.fixedCount
        case .accept: return kem + AcceptCode.fixedCount
        case .verify: return VerifyCode.byteCount
        case .revoke:
            switch head[CodeHeader.byteCount] {
            case 0: return RevokeCode.sessionByteCount
            case 1: return RevokeCode.identityByteCount
            default: throw .malformed
            }
        }
    }

    /// The number of bytes that `byteCount(decidedBy:)` needs.
    var decidingCount: Int {
        switch self {
        case .offer: OfferCode.nameOffset + 1
        case .answer: AnswerCode.nameOffset + 1
        case .revoke: CodeHeader.byteCount + 1
        case .rotate, .accept: 3
        case .verify: 0
        }
    }

    private static func name(at offset: Int, of head: [UInt8]) throws(HSIPError) -> Int {
        let length = Int(head[offset])
        guard length <= PeerName.longest else { throw .malformed }
        return length
    }
}
