extension JSONValue {
    /// Reads a text that holds no secret.
    ///
    /// - Throws: `malformed` for anything that is not exactly one JSON value in UTF-8, and for a name that stands
    ///   twice in one object; `tooDeep`; `tooManyValues`.
    package init(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard String(validating: text, as: UTF8.self) != nil else { throw .malformed(line: 1) }
        var decoded = text
        var span = decoded.mutableSpan
        // Whatever is written there is a byte.
        var bytes = unsafe span.mutableBytes
        let place = try JSONPlace(reading: &bytes, limits)
        try self.init(place, in: decoded)
    }

    private init(_ place: JSONPlace, in text: [UInt8]) throws(JSONError) {
        switch place {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let range): self = .number(String(decoding: text[range], as: UTF8.self))
        case .text(let range): self = .text(String(decoding: text[range], as: UTF8.self))
        case .list(let places):
            var items: [JSONValue] = []
            for place in places { items.append(try JSONValue(place, in: text)) }
            self = .list(items)
        case .object(let places):
            var members: [JSONMember] = []
            var names: Set<ArraySlice<UInt8>> = []
            for place in places {
                let name = String(decoding: text[place.name], as: UTF8.self)
                guard names.insert(text[place.name]).inserted else { throw .malformed(line: 1) }
                members.append(JSONMember(name, try JSONValue(place.value, in: text)))
            }
            self = .object(members)
        }
    }
}
