internal import Text
package import VaultCrypto

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
