internal import JSON

/// JSON of the control socket: small, flat, and never with a secret in it.
enum WireText {
    /// The text of a document.
    ///
    /// - Throws: `tooLong` above the limit, `malformed` for one with a secret.
    static func bytes(of json: JSONValue) throws(FrameError) -> [UInt8] {
        guard let text = try? json.bytes() else { throw .malformed }
        guard text.count <= FrameLimits.text else { throw .tooLong }
        return text
    }

    /// The document of a text.
    ///
    /// - Throws: `malformed` for anything that is no JSON within the limits.
    static func document(_ text: [UInt8]) throws(FrameError) -> JSONValue {
        guard text.count <= FrameLimits.text,
            let json = try? JSONValue(text, JSONLimits(depth: FrameLimits.depth))
        else { throw .malformed }
        return json
    }
}
