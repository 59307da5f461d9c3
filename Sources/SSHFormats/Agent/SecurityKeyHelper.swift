public import VaultCrypto

/// What OpenSSH's `ssh-sk-helper` is asked, and what it answers: version 5 of its messages (ssh-sk.h).
public enum SecurityKeyHelper {
    /// Bytes in the longest data that a security key is asked to sign: with the rest, OpenSSH reads no longer message.
    public static let longestData = 128 << 10
    /// Bytes in the longest answer that is read.
    public static let longestAnswer = 2 * SSHSignature.longest

    private static let version: UInt8 = 5
    private static let failing: UInt32 = 0
    private static let signing: UInt32 = 1
    /// The part of `ssh-sk-helper` that looks for security keys at USB.
    static let provider = Array("internal".utf8)

    private enum Code {
        static let unsupported: UInt32 = 59
        static let noDevice: UInt32 = 60
        static let pin: UInt32 = 43
    }

    /// A message that asks for a signature.
    ///
    /// - Parameters:
    ///   - key: a handle.
    ///   - data: the data to sign.
    ///   - pin: the PIN of the security key; nil for none.
    /// - Returns: the message with its length before it.
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key without a handle; `oversized`; `malformed` for a PIN with a
    ///   zero byte; `outOfMemory`.
    public static func request(
        _ key: PrivateKey,
        signing data: [UInt8],
        pin: Secret?
    ) throws(SSHFormatError) -> Secret {
        guard key.isHandle else { throw .unsupportedKeyType }
        guard data.count <= longestData else { throw .oversized(limit: longestData) }
        let hasEnd = pin?.withBytes { bytes in (0..<bytes.byteCount).contains { bytes.byte(at: $0) == 0 } }
        guard hasEnd != true else { throw .malformed }
        var body = try SecretWriter()
        try body.byte(version)
        try body.number(signing)
        // It says nothing on stderr.
        try body.byte(0)
        try body.number(UInt32(0))
        try body.string(try key.wire())
        try body.string(provider)
        try body.string(data)
        // The key decides the algorithm; no flags.
        try body.string([])
        try body.number(UInt32(0))
        if let pin { try body.string(pin) } else { try body.string([]) }
        var message = try SecretWriter()
        try message.string(try body.finish())
        return Secret(try message.finish())
    }

    /// How many bytes an answer has; nil as long as too few are there to tell.
    ///
    /// - Throws: `answerless` for an answer that is too long.
    public static func length(of answer: [UInt8]) throws(SecurityKeyFault) -> Int? {
        var reader = WireReader(answer)
        guard let length = try? reader.uint32() else { return nil }
        guard length <= longestAnswer else { throw .answerless }
        return 4 + Int(length)
    }

    /// The signature in an answer, which must be that of the key over the data.
    ///
    /// - Parameters:
    ///   - answer: the whole answer.
    ///   - key: the key that was asked for.
    ///   - data: the data that was to be signed.
    ///   - hadPIN: whether the request had a PIN.
    /// - Returns: the signature on the wire.
    /// - Throws: why there is none.
    public static func signature(
        in answer: [UInt8],
        of key: PrivateKey,
        over data: [UInt8],
        hadPIN: Bool
    ) throws(SecurityKeyFault) -> [UInt8] {
        guard let facts = key.securityKey, let answer = try? Answer(answer) else { throw .answerless }
        switch answer {
        case .failed(Code.pin): throw hadPIN ? .pinWrong : .pinNeeded
        case .failed(Code.noDevice): throw .noKey
        case .failed(Code.unsupported): throw .unfit
        case .failed(let code): throw .failed(code: code)
        case .signed(let wire):
            guard let signature = try? SSHSignature(wire: wire),
                (try? key.publicKey.verify(signature, message: data)) != nil,
                let flags = signature.trailer.first, facts.areMet(by: flags)
            else { throw .answerless }
            return wire
        }
    }

    private enum Answer {
        case signed([UInt8])
        case failed(UInt32)

        init(_ bytes: [UInt8]) throws(SSHFormatError) {
            var reader = WireReader(bytes)
            let length = try reader.uint32()
            guard length == reader.remaining, try reader.byte() == version else { throw .malformed }
            switch try reader.uint32() {
            case failing: self = .failed(try reader.uint32())
            case signing: self = .signed(try reader.string(limit: SSHSignature.longest))
            default: throw .malformed
            }
            try reader.finish()
        }
    }
}

/// Why a security key signed nothing for ssh.
public enum SecurityKeyFault: Error, Hashable, Sendable {
    /// OpenSSH's `ssh-sk-helper` is not installed.
    case noHelper
    /// `ssh-sk-helper` ended without an answer, or answered with something else than this key's signature over the data.
    case answerless
    /// The security key is not plugged in.
    case noKey
    /// The security key cannot sign so.
    case unfit
    /// The security key needs its PIN, and nobody could be asked.
    case pinNeeded
    /// The PIN is wrong.
    case pinWrong
    /// Nobody touched the security key in time.
    case untouched
    /// The person closed the question.
    case dismissed
    /// The person did not type the PIN in time.
    case late
    /// The program that wanted the signature has gone.
    case cancelled
    /// The vault was locked meanwhile, or the key was removed from the agent.
    case locked
    /// Another signature waited too long for a security key.
    case busy
    /// The key is not for ssh alone, and the data is neither a login nor a file.
    case otherData
    /// The data is longer than a security key signs, or there is not enough memory.
    case exhausted
    /// Anything else, with the number of OpenSSH.
    case failed(code: UInt32)
}
