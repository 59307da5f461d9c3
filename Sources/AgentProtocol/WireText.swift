internal import FoundationEssentials
internal import SafeText

/// JSON of the control socket: small, flat, and never with a secret in it.
///
/// What every connection says is written and read here; what is said now and then, and has more forms, by the coders
/// of Foundation, which take a program longer to set up than most of what it asks for.
public enum WireText {
    /// The text of a document.
    ///
    /// - Throws: `tooLong` above the limit.
    static func bytes(of json: JSONDocument) throws(FrameError) -> [UInt8] {
        let text = Array(json.line.utf8)
        guard text.count <= FrameLimits.text else { throw .tooLong }
        return text
    }

    /// The document of a text.
    ///
    /// - Throws: `malformed` for anything that is no JSON within the limits.
    static func document(_ text: [UInt8]) throws(FrameError) -> JSONDocument {
        guard text.count <= FrameLimits.text, depth(of: text) <= FrameLimits.depth,
            let json = try? JSONDocument(text)
        else { throw .malformed }
        return json
    }

    /// The JSON of a value.
    ///
    /// - Throws: `malformed` for a value that cannot be written, `tooLong` above the limit.
    public static func encode(_ value: some Encodable) throws(FrameError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let text = try? encoder.encode(value) else { throw .malformed }
        guard text.count <= FrameLimits.text else { throw .tooLong }
        return Array(text)
    }

    /// The value behind a JSON text; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no such value.
    public static func decode<T: Decodable>(_ type: T.Type, _ text: [UInt8]) throws(FrameError) -> T {
        guard text.count <= FrameLimits.text, depth(of: text) <= FrameLimits.depth else { throw .malformed }
        guard let value = try? JSONDecoder().decode(type, from: Data(text)) else { throw .malformed }
        return value
    }

    /// How deep a text nests at most.
    ///
    /// A reader that calls itself for each level needs stack for all of them, so this is found before it reads.
    static func depth(of text: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        var (isText, isEscaped) = (false, false)
        for byte in text {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}
