internal import Text
public import VaultCrypto

/// One frame of the control socket: what kind it is, which request it belongs to, and its body.
public struct Frame: Sendable {
    /// The body: only that of a bytes frame is secret.
    public enum Body: Sendable {
        /// A message, or encoded arguments.
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

/// What a frame of the control socket carries (Schemas/control.md section 2).
public enum FrameKind: UInt8, CaseIterable, Sendable {
    /// What the caller wants done.
    case request = 1
    /// How it was done.
    case reply
    /// Why it was not done.
    case error
    /// A question for the person at the caller's terminal.
    case question
    /// What the person said.
    case answer
    /// Something that the other side may want to know, and may ignore.
    case event
    /// The caller no longer wants the request; no body.
    case cancel
    /// A secret: raw bytes, read straight into locked memory, sent before the frame that means them.
    case bytes
    /// The encoded arguments or result of a call: raw bytes without a secret, sent before the frame that means them.
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

/// What ends a connection of the control socket; it costs that connection and nothing else.
public enum FrameError: Error, Equatable, Sendable {
    /// A length that leaves no room for a header.
    case tooShort
    /// A body above the limit of its kind.
    case tooLong
    /// A kind that this version does not know.
    case unknownKind(UInt8)
    /// A body that is not the message it should be.
    case malformed
    /// A frame that may not come here: a second hello, a number used twice, too many of them.
    case unexpected
    /// More raw frames, or more bytes in them, than a request may have.
    case tooMuch
    /// The frame did not come, or was not taken, in time.
    case timeout
    /// The other side has closed the connection.
    case closed
    /// No locked memory for a secret.
    case outOfMemory
    /// Another process than the one that the connection belongs to wrote on it.
    case stranger
    /// The system refused, by its number (errno).
    case io(code: Int32)
}

/// A message is its `Codable` fields: CBOR, as the arguments of calls, with its secrets in frames before it.
///
/// Frames with the number 0 are JSON of the same fields, but for events: a hello, and what is said without one, is read by
/// programs that speak another version.
extension Frame {
    /// The frames of a message.
    ///
    /// - Throws: `tooLong`; `malformed` if it has no encoding.
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

    /// The message of this frame; fields that are not known are passed over.
    ///
    /// - Parameters:
    ///   - type: what it should be.
    ///   - secrets: the secrets in the frames before it.
    /// - Returns: the message.
    /// - Throws: `malformed` for anything else.
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
    /// The same in JSON; no field of such a frame is negative, bytes or a secret.
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

    /// What JSON says; null for what no field here can be.
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
