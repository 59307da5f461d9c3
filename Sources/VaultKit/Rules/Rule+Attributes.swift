internal import RecordStore
internal import VaultPolicy

/// Converts a rule from and to the attributes of its record (Schemas/policy.md section 5).
extension Rule {
    private static let names: Set<String> = [
        "effect", "kind", "subject", "program", "inside", "owner", "schema", "host", "namespace", "user",
        "via",
        "expires",
    ]

    /// Reads a rule; nil for an attribute or a value that this program does not know.
    init?(named name: String, _ attributes: Attributes) {
        guard let effect = attributes["effect"].flatMap({ Effect(rawValue: $0) }),
            attributes.all.allSatisfy({ Self.names.contains($0.name) })
        else { return nil }
        self.init(name: name, effect: effect)
        if let text = attributes["kind"] {
            guard let kind = ActKind(rawValue: text) else { return nil }
            self.kind = kind
        }
        if let text = attributes["expires"] {
            guard let time = UInt64(text) else { return nil }
            expires = time
        }
        subject = attributes["subject"]
        program = attributes["program"]
        inside = attributes["inside"]
        owner = attributes["owner"]
        schema = attributes["schema"]
        host = attributes["host"]
        namespace = attributes["namespace"]
        user = attributes["user"]
        via = attributes["via"]
        do throws(RuleError) { try check() } catch { return nil }
    }

    /// The rule under another name.
    func copied(as name: String) -> Rule {
        var new = Rule(name: name, effect: effect)
        (new.kind, new.subject, new.program, new.host) = (kind, subject, program, host)
        (new.owner, new.schema, new.user, new.via) = (owner, schema, user, via)
        (new.inside, new.namespace, new.expires) = (inside, namespace, expires)
        return new
    }

    /// The attributes of its record.
    func attributes() throws(StoreError) -> Attributes {
        var pairs = ["effect": effect.rawValue]
        pairs["kind"] = kind?.rawValue
        pairs["subject"] = subject
        pairs["program"] = program
        pairs["inside"] = inside
        pairs["owner"] = owner
        pairs["schema"] = schema
        pairs["host"] = host
        pairs["namespace"] = namespace
        pairs["user"] = user
        pairs["via"] = via
        pairs["expires"] = expires.map { String($0) }
        return try Attributes(pairs)
    }
}
