internal import Text

/// Fields that may be missing; one that is there and is something else is no frame of this protocol.
extension JSONValue {
    func word(_ name: String) throws(FrameError) -> String? {
        switch self[name] {
        case nil, .null?: nil
        case .text(let text)?: text
        default: throw .malformed
        }
    }

    func number(_ name: String) throws(FrameError) -> Int? {
        switch self[name] {
        case nil, .null?: return nil
        case let value?:
            guard let number = value.integer else { throw .malformed }
            return number
        }
    }

    func truth(_ name: String) throws(FrameError) -> Bool? {
        switch self[name] {
        case nil, .null?: nil
        case .bool(let truth)?: truth
        default: throw .malformed
        }
    }

    func words(_ name: String) throws(FrameError) -> [String] {
        var words: [String] = []
        for item in try items(name) {
            guard let word = item.text else { throw .malformed }
            words.append(word)
        }
        return words
    }

    func items(_ name: String) throws(FrameError) -> [JSONValue] {
        switch self[name] {
        case nil, .null?: []
        case .list(let items)?: items
        default: throw .malformed
        }
    }

    func fields(_ name: String) throws(FrameError) -> [JSONMember] {
        switch self[name] {
        case nil, .null?: []
        case .object(let members)?: members
        default: throw .malformed
        }
    }
}

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
