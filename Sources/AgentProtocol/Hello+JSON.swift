internal import JSON

extension Hello {
    var json: JSONValue {
        var json = JSONValue.object([])
        json["protocol"] = .number("\(`protocol`)")
        json["program"] = .text(program)
        json["vault"] = vault.map { .text($0) }
        json["features"] = .list(features.map { .text($0) })
        json["asks"] = .text(asks.rawValue)
        json["environment"] = .object(
            environment.sorted { $0.key < $1.key }.map {
                JSONMember($0.key, .text($0.value))
            }
        )
        json["isLocked"] = isLocked.map { .bool($0) }
        return json
    }

    /// What another program sent: a field that is missing is empty, one that is not known is passed over.
    ///
    /// - Throws: `malformed` without a version or a program, or for a field that is something else.
    init(_ json: JSONValue) throws(FrameError) {
        guard case .object = json, let version = json["protocol"]?.integer,
            let program = json["program"]?.text
        else { throw .malformed }
        var variables: [String: String] = [:]
        for member in try json.fields("environment") {
            guard let value = member.value.text else { throw .malformed }
            variables[member.name] = value
        }
        guard let asks = Asking(rawValue: try json.word("asks") ?? Asking.nobody.rawValue) else {
            throw .malformed
        }
        self.init(
            program: String(program.prefix(64)),
            vault: try json.word("vault"),
            features: try json.words("features"),
            asks: asks,
            environment: variables
        )
        self.protocol = version
        isLocked = try json.truth("isLocked")
    }
}
