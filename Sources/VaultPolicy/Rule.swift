/// What the owner said ahead about some acts: every condition that is set has to fit.
public struct Rule: Hashable, Sendable, Codable {
    /// Most bytes in one value.
    public static let longestValue = 256
    /// Most rules that a vault keeps.
    public static let maximum = 256
    /// What stands before the name of a unit.
    public static let unitMark = "unit:"

    /// What the rule is called.
    public let name: String
    /// What it says.
    public let effect: Effect
    /// Only acts of this kind; one that allows needs `decide` for what decides later verdicts.
    public var kind: ActKind?
    /// Only this SSH key, secret or contact: by its name, a key also by its fingerprint; or all below a folder, `ci/*`.
    public var subject: String?
    /// Only this program, by the path of its file; one on the bus also by `flatpak:NAME` or `snap:NAME`.
    public var program: String?
    /// Only what runs inside this: the absolute path of a program that is its own or started it, or `unit:NAME`.
    ///
    /// Only in a rule that asks or refuses.
    public var inside: String?
    /// Only items of this owner.
    public var owner: String?
    /// Only items whose attribute `xdg:schema` is this.
    public var schema: String?
    /// Only logins to this server: by a name under which its key is known, by a profile that leads there, or by the
    /// key's fingerprint.
    ///
    /// In a rule that asks or refuses, a name without a port means every port.
    public var host: String?
    /// Only signatures under this namespace.
    public var namespace: String?
    /// Only logins as this user; only together with `via`.
    public var user: String?
    /// Only logins from another machine through this host, which is named as `host` is; only in a rule that allows.
    public var via: String?
    /// Unix seconds after which the rule is as if it were not there; nil for never.
    public var expires: UInt64?

    /// A rule that covers everything until conditions are set.
    public init(name: String, effect: Effect) {
        self.name = name
        self.effect = effect
    }

    /// All that it says but its name, a line for each fact: a value with commas in it looks like no second condition.
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

    /// Refuses a rule that means nothing, or more than a person can want.
    ///
    /// - Throws: the first thing that is wrong with it.
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
        // What is said of items fits nothing else, and what is said of servers and files no item.
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

    /// The parts that a rule for a route does not say, by the words of `hsip agent rule add`; none for any other rule.
    public var missingPartsOfRoute: [String] {
        guard (via ?? user) != nil else { return [] }
        let parts = [
            ("kind", kind == nil), ("subject", subject == nil), ("user", user == nil), ("host", host == nil),
            ("via", via == nil), ("for", expires == nil),
        ]
        return parts.filter(\.1).map(\.0)
    }

    /// Whether it allows logins over one route, and says all that makes a route: key, user, both hosts, and an end.
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

    /// Whether a text names what a program can run inside: an absolute path, or a unit of systemd.
    private static func isPlace(_ text: String) -> Bool {
        guard text.hasPrefix(unitMark) else { return text.hasPrefix("/") }
        let name = text.utf8.dropFirst(unitMark.utf8.count)
        return !name.isEmpty && !name.contains(UInt8(ascii: "/"))
    }

    /// Whether the rule speaks about this act of this requester at a time, in Unix seconds.
    public func covers(_ act: Act, by requester: Requester, at time: UInt64) -> Bool {
        if let expires, time >= expires { return false }
        guard covers(act.kind) else { return false }
        if let program, program != requester.program.path { return false }
        if let inside, !requester.inside.contains(inside) { return false }
        // Without a kind it reaches what the bus asks for only to be stricter.
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
    /// What decides later verdicts is allowed by a rule that says so, and by no other. One about reads that asks or refuses
    /// is about it, too.
    private func covers(_ other: ActKind) -> Bool {
        guard other == .decide else { return kind ?? other == other }
        return effect == .allow ? kind == .decide : [nil, .read, .decide].contains(kind)
    }

    /// Whether a subject is a folder: every name below it, however deep.
    public static func isFolder(_ subject: String) -> Bool {
        subject.utf8.count > 2 && subject.utf8.suffix(2).elementsEqual("/*".utf8)
    }

    /// Whether a subject means a name: it is the name, or a folder above it.
    public static func subject(_ subject: String, fits name: String) -> Bool {
        // Bytes: what follows the slash may combine with it, and is below the folder all the same.
        subject == name || isFolder(subject) && name.utf8.starts(with: subject.utf8.dropLast())
    }

    /// Whether a server is meant that is looked up as `name`.
    ///
    /// `host` is in lower case. In a rule that asks or refuses, one without a port means every port.
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
