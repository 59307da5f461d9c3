public import VaultCrypto

/// The requests to OpenSSH's `ssh-sk-helper` and its responses: version 5 of its messages (ssh-sk.h).
public enum SecurityKeyHelper {
    /// The length of the longest data to sign in bytes: OpenSSH reads no longer message.
    public static let longestData = 128 << 10
    /// The length of the longest response that is read, in bytes.
    public static let longestAnswer = 2 * SSHSignature.longest

    private static let version: UInt8 = 5
    private static let failing: UInt32 = 0
    private static let signing: UInt32 = 1
    /// The part of `ssh-sk-helper` that searches USB for security keys.
    static let provider = Array("internal".utf8)

    private enum Code {
        static let unsupported: UInt32 = 59
        static let noDevice: UInt32 = 60
        static let pin: UInt32 = 43
    }

    /// Creates a request for a signature.
    ///
    /// - Parameters:
    /// - key: a handle.
    /// - data: the data to sign.
    /// - pin: the PIN of the security key; nil for none.
    /// - Returns: the message with its length.
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key without a handle; `oversized`; `malformed` for a PIN
    ///   with a zero byte; `outOfMemory`.
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
        // The helper writes no log to stderr.
        try body.byte(0)
        try body.number(UInt32(0))
        try body.string(try key.wire())
        try body.string(provider)
        try body.string(data)
        // The key decides the algorithm; there are no flags.
        try body.string([])
        try body.number(UInt32(0))
        if let pin { try body.string(pin) } else { try body.string([]) }
        var message = try SecretWriter()
        try message.string(try body.finish())
        return Secret(try message.finish())
    }

    /// Returns the length of a response; nil if too few bytes have arrived.
    ///
    /// - Throws: `answerless` for a response that is too long.
    public static func length(of answer: [UInt8]) throws(SecurityKeyFault) -> Int? {
        var reader = WireReader(answer)
        guard let length = try? reader.uint32() else { return nil }
        guard length <= longestAnswer else { throw .answerless }
        return 4 + Int(length)
    }

    /// Returns the signature in a response after it was verified with the key.
    ///
    /// - Parameters:
    /// - answer: the whole response.
    /// - key: the key of the request.
    /// - data: the data of the request.
    /// - hadPIN: whether the request had a PIN.
    /// - Returns: the signature in wire format.
    /// - Throws: the reason why the response has no valid signature.
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

/// The reason why a security key made no signature for ssh.
public enum SecurityKeyFault: Error, Hashable, Sendable {
    /// OpenSSH's `ssh-sk-helper` is not installed.
    case noHelper
    /// `ssh-sk-helper` ended without a response, or its response is not this key's signature over the data.
    case answerless
    /// The security key is not plugged in.
    case noKey
    /// The security key does not support such a signature.
    case unfit
    /// The security key needs its PIN, and no person could be asked.
    case pinNeeded
    /// The PIN is wrong.
    case pinWrong
    /// Nobody touched the security key in time.
    case untouched
    /// The person closed the prompt.
    case dismissed
    /// The person did not type the PIN in time.
    case late
    /// The program that asked for the signature has ended.
    case cancelled
    /// The vault was locked meanwhile, or the key was removed from the agent.
    case locked
    /// Another signature waited too long for a security key.
    case busy
    /// The key is not limited to ssh, and the data is neither a login nor a file.
    case otherData
    /// The data is too long for a security key, or memory is exhausted.
    case exhausted
    /// Any other failure, with OpenSSH's number.
    case failed(code: UInt32)
}
