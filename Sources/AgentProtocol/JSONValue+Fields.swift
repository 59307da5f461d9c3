internal import JSON

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
