internal import Text
public import VaultCrypto

/// One frame of the control socket: its kind, the number of its request, and its body.
public struct Frame: Sendable {
    /// The body of a frame; only a bytes frame has a secret body.
    public enum Body: Sendable {
        /// A message, or encoded arguments.
        case plain([UInt8])
        /// A secret, in locked memory only.
        case secret(Secret)
    }

    /// The kind of the frame.
    public let kind: FrameKind
    /// The number of the request; 0 for the hello.
    public let request: UInt32
    /// The body of the frame.
    public let body: Body

    /// Makes a frame without a secret.
    public init(_ kind: FrameKind, request: UInt32, _ bytes: [UInt8] = []) {
        self.kind = kind
        self.request = request
        body = .plain(bytes)
    }

    /// Makes a bytes frame with a secret.
    public init(secret: Secret, request: UInt32) {
        kind = .bytes
        self.request = request
        body = .secret(secret)
    }

    /// The body of a frame without a secret; empty for a secret.
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

/// The kind of a frame of the control socket (Schemas/control.md section 2).
public enum FrameKind: UInt8, CaseIterable, Sendable {
    /// A request of the caller.
    case request = 1
    /// The result of a request.
    case reply
    /// The error of a request that failed.
    case error
    /// A question for the person at the caller's terminal.
    case question
    /// The person's answer to a question.
    case answer
    /// A notification, which the peer may ignore.
    case event
    /// The cancellation of a request; it has no body.
    case cancel
    /// A secret: raw bytes, read straight into locked memory, and sent before the frame that refers to it.
    case bytes
    /// The encoded arguments or result of a call: raw bytes without a secret, sent before the frame that refers to them.
    case data
}

extension FrameKind {
    /// The largest body in bytes.
    public var limit: Int {
        switch self {
        case .request, .reply, .error, .question, .answer, .event: FrameLimits.message
        case .cancel: 0
        case .bytes, .data: FrameLimits.bytes
        }
    }
}

/// An error that ends one connection of the control socket, and affects nothing else.
public enum FrameError: Error, Equatable, Sendable {
    /// The length is less than a header.
    case tooShort
    /// The body is above the limit of its kind.
    case tooLong
    /// This version does not know the kind.
    case unknownKind(UInt8)
    /// The body is not the expected message.
    case malformed
    /// The frame is not allowed here: a second hello, a number used twice, or too many requests.
    case unexpected
    /// The request has more raw frames, or more bytes in them, than the limits allow.
    case tooMuch
    /// The frame did not arrive, or was not received by the peer, in time.
    case timeout
    /// The peer has closed the connection.
    case closed
    /// No locked memory was left for a secret.
    case outOfMemory
    /// Another process wrote on the connection than the process that owns it.
    case stranger
    /// A system call failed with this errno.
    case io(code: Int32)
}

/// A message holds its `Codable` fields as CBOR, like the arguments of calls; frames before it carry its secrets.
///
/// Frames with the number 0, except events, hold the fields as JSON, because programs that speak another version must read
/// a hello and an error without one.
extension Frame {
    /// Encodes a message as frames.
    ///
    /// - Throws: `tooLong`; `malformed` if the message has no encoding.
    package static func message(
        _ kind: FrameKind,
        request: UInt32,
        _ message: some Encodable
    ) throws(FrameError) -> [Frame] {
        var secrets: [Secret] = []
        guard let value = try? CallValue(message, secrets: &secrets),
            let bytes = isJSON(kind, request) ? (try? value.json.bytes()) : value.encoded
        else { throw .malformed }
        guard bytes.count <= kind.limit else { throw .tooLong }
        return secrets.map { Frame(secret: $0, request: request) } + [Frame(kind, request: request, bytes)]
    }

    /// Decodes the message of this frame, and ignores unknown fields.
    ///
    /// - Parameters:
    ///   - type: The type of the message.
    ///   - secrets: The secrets in the frames before this one.
    /// - Returns: The message.
    /// - Throws: `malformed` if the body is not such a message.
    package func message<Message: Decodable>(
        _ type: Message.Type,
        secrets: [Secret] = []
    ) throws(FrameError) -> Message {
        let limits = JSONLimits(depth: FrameLimits.depth, values: FrameLimits.values)
        let value =
            Self.isJSON(kind, request)
            ? (try? JSONValue(plain, limits)).map { CallValue($0) }
            : (try? CallValue(encoded: plain, values: FrameLimits.values))
        guard let message = try? value?.decoded(type, secrets: secrets) else { throw .malformed }
        return message
    }

    private static func isJSON(_ kind: FrameKind, _ request: UInt32) -> Bool {
        request == 0 && kind != .event
    }
}

extension CallValue {
    /// This value as JSON; no field of a JSON frame is negative, bytes or a secret.
    fileprivate var json: JSONValue {
        switch self {
        case .bool(let isTrue): .bool(isTrue)
        case .unsigned(let number): .number("\(number)")
        case .text(let text): .text(text)
        case .list(let items): .list(items.map(\.json))
        case .map(let pairs): .object(pairs.map { JSONMember($0.key, $0.value.json) })
        case .null, .negative, .bytes, .secret: .null
        }
    }

    /// Makes a value from JSON; null if no field of a JSON frame can have the value.
    fileprivate init(_ json: JSONValue) {
        self =
            switch json {
            case .bool(let isTrue): .bool(isTrue)
            case .number(let digits): UInt64(digits).map { .unsigned($0) } ?? .null
            case .text(let text): .text(text)
            case .list(let items): .list(items.map { CallValue($0) })
            case .object(let members):
                .map(Dictionary(members.map { ($0.name, CallValue($0.value)) }) { first, _ in first })
            case .null, .secret, .secretBase64, .base64: .null
            }
    }
}
