/// A decision that the owner made in advance about some acts; every condition that is set must match.
public struct Rule: Hashable, Sendable, Codable {
    /// The length of the longest condition value in bytes.
    public static let longestValue = 256
    /// The largest number of rules in a vault.
    public static let maximum = 256
    /// The prefix of a systemd unit name.
    public static let unitMark = "unit:"

    /// The name of the rule.
    public let name: String
    /// The decision of the rule.
    public let effect: Effect
    /// Only acts of this kind.
    ///
    /// A rule that allows changes to later decisions must name the kind `decide`.
    public var kind: ActKind?
    /// Only this SSH key, secret or contact, by its name (a key also by its fingerprint), or all names below a
    /// folder, `ci/*`.
    public var subject: String?
    /// Only this program, by the path of its file; a program on the bus also by `flatpak:NAME` or `snap:NAME`.
    public var program: String?
    /// Only programs that run inside this: the absolute path of a program that is or started the requester, or
    /// `unit:NAME`.
    ///
    /// It is valid only in a rule that asks or refuses.
    public var inside: String?
    /// Only items of this owner.
    public var owner: String?
    /// Only items whose attribute `xdg:schema` is this.
    public var schema: String?
    /// Only logins to this server: by a name of its known key, by a profile that leads to it, or by the fingerprint
    /// of the key.
    ///
    /// In a rule that asks or refuses, a name without a port matches every port.
    public var host: String?
    /// Only signatures under this namespace.
    public var namespace: String?
    /// Only logins as this user; valid only together with `via`.
    public var user: String?
    /// Only logins from another machine through this host, which is named like `host`; valid only in a rule that
    /// allows.
    public var via: String?
    /// The Unix time in seconds after which the rule has no effect; nil for never.
    public var expires: UInt64?

    /// Creates a rule that matches every act until conditions are set.
    public init(name: String, effect: Effect) {
        self.name = name
        self.effect = effect
    }

    /// The facts of the rule without its name, one line each: a value with commas cannot look like a second
    /// condition.
    public var facts: [String] {
        let conditions = [
            ("subject", subject), ("program", program), ("inside", inside), ("owner", owner),
            ("schema", schema), ("host", host), ("namespace", namespace), ("user", user), ("via", via),
        ]
        .compactMap { name, value in value.map { "Only \(name): \($0)" } }
        return [
            "Rule: \(effect.words), \(kind.map { "acts of kind \($0.rawValue)" } ?? "every kind of act")"
        ]
            + (conditions.isEmpty ? ["No condition: matches every request"] : conditions)
            + [expires.map { "Until: \($0), Unix time" } ?? "No end"]
    }

    /// Refuses a rule that has no meaning, or that allows more than a person can want.
    ///
    /// - Throws: the first error in the rule.
    public func check() throws(RuleError) {
        guard Self.isName(name) else { throw .badName }
        for value in [subject, program, inside, owner, schema, host, namespace, user, via].compactMap(\.self)
        {
            let isPlain = value.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
            }
            guard (1...Self.longestValue).contains(value.utf8.count), isPlain else { throw .badValue }
        }
        if let program, program.utf8.first != 0x2F, ProgramIdentity(program) == nil { throw .badProgram }
        if let owner, ProgramIdentity(owner) == nil { throw .badProgram }
        if let inside, !Self.isPlace(inside) { throw .badInside }
        let isOfBus = kind == .item || kind == .itemChange
        // Conditions about items match no other act, and conditions about servers and files match no item.
        let ofItems = owner ?? schema
        guard ofItems == nil || isOfBus || kind == nil && effect != .allow,
            !isOfBus && ofItems == nil || (host ?? namespace) == nil
        else { throw .neverCovered }
        guard (via ?? user) == nil || isRoute else { throw .badRoute }
        if let via, let host, via.lowercased() == host.lowercased() { throw .routeToItself }
        guard effect == .allow else { return }
        guard inside == nil else { throw .insideAllows }
        guard kind != .raw else { throw .neverCovered }
        let conditions = [subject, program, host, namespace]
        guard kind != nil || conditions.contains(where: { $0 != nil }) else { throw .allowsEverything }
    }

    /// The missing parts of a rule for a route, in the words of `hsip agent rule add`; empty for any other rule.
    public var missingPartsOfRoute: [String] {
        guard (via ?? user) != nil else { return [] }
        let parts = [
            ("kind", kind == nil), ("subject", subject == nil), ("user", user == nil), ("host", host == nil),
            ("via", via == nil), ("for", expires == nil),
        ]
        return parts.filter(\.1).map(\.0)
    }

    /// Whether the rule allows logins over one route, and has all its parts: key, user, both hosts, and an end.
    private var isRoute: Bool {
        effect == .allow && kind == .login && namespace == nil && missingPartsOfRoute.isEmpty
            && subject.map { !Self.isFolder($0) } ?? false
    }

    /// Whether the name of a rule is 1–64 lower-case letters, digits and dashes.
    public static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
    }

    /// Whether a text is a valid value of `inside`: an absolute path, or a unit of systemd.
    private static func isPlace(_ text: String) -> Bool {
        guard text.hasPrefix(unitMark) else { return text.hasPrefix("/") }
        let name = text.utf8.dropFirst(unitMark.utf8.count)
        return !name.isEmpty && !name.contains(UInt8(ascii: "/"))
    }

    /// Whether the rule applies to this act of this requester at a Unix time in seconds.
    public func covers(_ act: Act, by requester: Requester, at time: UInt64) -> Bool {
        if let expires, time >= expires { return false }
        guard covers(act.kind) else { return false }
        if let program, program != requester.program.path { return false }
        if let inside, !requester.inside.contains(inside) { return false }
        // A rule without a kind applies to requests of the bus only if it is stricter.
        if act.isOfBus, kind == nil, effect == .allow { return false }
        if let owner, ProgramIdentity(owner) != act.item?.owner { return false }
        if let schema, act.item?.schema != schema { return false }
        if let subject, !Self.names(of: act).contains(where: { Self.subject(subject, fits: $0) }) {
            return false
        }
        if let host {
            guard let server = act.host, names(server, by: host) else { return false }
        }
        if let via {
            guard case .sign(_, .login(let user, let server?), .relayed(let jump)) = act,
                user == self.user, server.status == .known, jump.status == .known, names(jump, by: via)
            else { return false }
        }
        if let namespace {
            guard case .sign(_, .file(namespace), _) = act else { return false }
        }
        return true
    }

    /// Whether the rule is about acts of a kind.
    ///
    /// Only a rule with the kind `decide` can allow changes to later decisions. A rule about reads that asks or
    /// refuses is also about them.
    private func covers(_ other: ActKind) -> Bool {
        guard other == .decide else { return kind ?? other == other }
        return effect == .allow ? kind == .decide : [nil, .read, .decide].contains(kind)
    }

    /// Whether a subject is a folder, which matches every name below it at any depth.
    public static func isFolder(_ subject: String) -> Bool {
        subject.utf8.count > 2 && subject.utf8.suffix(2).elementsEqual("/*".utf8)
    }

    /// Whether a subject matches a name: it is the name, or a folder above it.
    public static func subject(_ subject: String, fits name: String) -> Bool {
        // Compares bytes: the character after the slash may combine with it, and the name is below the folder all the
        // same.
        subject == name || isFolder(subject) && name.utf8.starts(with: subject.utf8.dropLast())
    }

    /// Whether a host condition matches a server that is looked up as `name`.
    ///
    /// `host` is in lower case. In a rule that asks or refuses, a host without a port matches every port.
    public func means(_ name: String, by host: String) -> Bool {
        name == host || effect != .allow && name.utf8.starts(with: "[\(host)]:".utf8)
    }

    /// Whether a condition of the rule names a server.
    private func names(_ server: HostFacts, by host: String) -> Bool {
        let name = host.lowercased()
        return server.fingerprint == host || server.profiles.contains(name)
            || server.names.contains { means($0, by: name) }
    }

    private static func names(of act: Act) -> [String] {
        switch act {
        case .sign(let key, _, _): [key.name, key.fingerprint]
        case .item(_, let item), .itemChange(_, let item): [item.id]
        default: [act.subject]
        }
    }
}
