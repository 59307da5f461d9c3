import Testing
import VaultPolicy

/// A rule that allows logins over one route from another machine, and everything that it does not allow.
struct RouteTests {
    private static let jump = server("jump.example.org", "SHA256:jump", profile: "jump")
    private static let web = server("web.example.org", "SHA256:web", profile: "web")

    private static func server(
        _ name: String,
        _ fingerprint: String,
        profile: String,
        _ status: HostFacts.Status = .known
    ) -> HostFacts {
        var facts = HostFacts(names: [name], fingerprint: fingerprint, status: status)
        facts.profiles = [profile]
        return facts
    }

    private static func login(
        _ key: KeyFacts = Case.key,
        user: String = "deploy",
        to server: HostFacts? = web,
        over route: Route = .relayed(through: jump)
    ) -> Act {
        .sign(key, .login(user: user, host: server), route)
    }

    private static func rule(_ set: (inout Rule) -> Void = { _ in }) -> Rule {
        var rule = Rule(name: "way", effect: .allow)
        (rule.kind, rule.subject, rule.user) = (.login, "work", "deploy")
        (rule.host, rule.via, rule.expires) = ("web", "jump", 100)
        set(&rule)
        return rule
    }

    private static func verdict(
        _ act: Act,
        by requester: Requester = Case.ssh,
        _ rules: [Rule],
        time: UInt64 = 0
    ) -> Verdict {
        Policy(owner: Case.owner, rules: rules).verdict(on: act, by: requester, time: time, moment: 0)
    }

    private static let asked = Verdict.ask(.row(.forwarded), mayRemember: false)

    @Test func `a rule for a route allows the login over it until the rule ends`() throws {
        for rule in [
            Self.rule(), Self.rule { ($0.host, $0.via) = ("web.example.org", "JUMP.example.org") },
            Self.rule { ($0.host, $0.via, $0.subject) = ("SHA256:web", "SHA256:jump", "SHA256:work") },
        ] {
            try rule.check()
            #expect(Self.verdict(Self.login(), [rule]) == .allow(.rule("way")))
            #expect(Self.verdict(Self.login(), [rule], time: 99) == .allow(.rule("way")))
            #expect(Self.verdict(Self.login(), [rule], time: 100) == Self.asked)
        }
    }

    @Test func `nothing but exactly this route is allowed`() {
        let other = Self.server("other.example.org", "SHA256:other", profile: "other")
        let unknown = Self.server("web.example.org", "SHA256:web", profile: "web", .unknown)
        let strange = Self.server("jump.example.org", "SHA256:jump", profile: "jump", .unknown)
        let acts = [
            Self.login(Case.added), Self.login(user: "root"), Self.login(to: other), Self.login(to: nil),
            Self.login(to: unknown), Self.login(over: .relayed(through: other)),
            Self.login(over: .relayed(through: strange)),
            Self.login(over: .forwarded(through: ["jump"])), Self.login(over: .forwarded(through: [])),
            .sign(Case.key, .file(namespace: "git"), .relayed(through: Self.jump)),
        ]
        for act in acts { #expect(Self.verdict(act, [Self.rule()]) == Self.asked, "\(act)") }
        let raw = Act.sign(Case.key, .raw, .relayed(through: Self.jump))
        #expect(Self.verdict(raw, [Self.rule()]) == Self.asked)
    }

    @Test func `a key set to confirm, an unknown program and another user are asked about all the same`() {
        let careful = Self.rule { $0.subject = "vault" }
        #expect(Self.verdict(Self.login(Case.careful), [careful]) == Self.asked)
        for requester in [Case.stranger, Case.root] {
            #expect(Self.verdict(Self.login(), by: requester, [Self.rule()]) == Self.asked)
        }
    }

    @Test func `a stricter rule holds, and no other rule that allows opens a route`() {
        func other(_ effect: Effect) -> Rule {
            var rule = Rule(name: "a", effect: effect)
            rule.host = "web"
            return rule
        }
        #expect(Self.verdict(Self.login(), [Self.rule(), other(.deny)]) == .deny(.rule("a")))
        for effect in [Effect.ask, .each] {
            #expect(Self.verdict(Self.login(), [Self.rule(), other(effect)]) == Self.asked)
        }
        #expect(Self.verdict(Self.login(), [Self.rule(), other(.allow)]) == .allow(.rule("way")))
        #expect(Self.verdict(Self.login(), [other(.allow)]) == Self.asked)
        #expect(
            Self.verdict(Self.login(to: Self.web, over: .direct), [other(.ask), Self.rule()])
                == .ask(.rule("a"), mayRemember: true)
        )
    }

    @Test func `a server that was revoked or changed is refused over a route as well`() {
        for status in [HostFacts.Status.revoked, .changed] {
            let server = Self.server("web.example.org", "SHA256:web", profile: "web", status)
            guard case .deny = Self.verdict(Self.login(to: server), [Self.rule()]) else {
                Issue.record("allowed: \(status)")
                continue
            }
        }
    }

    @Test func `a rule that says less than a whole route, or names one host twice, is none`() {
        let less: [(inout Rule) -> Void] = [
            { $0.via = nil }, { $0.user = nil }, { $0.host = nil }, { $0.subject = nil }, { $0.kind = nil },
            { $0.expires = nil }, { $0.subject = "ci/*" }, { $0.namespace = "git" }, { $0.kind = .read },
        ]
        for change in less {
            #expect(throws: RuleError.badRoute) { try Self.rule(change).check() }
        }
        for effect in [Effect.ask, .each, .deny] {
            var rule = Rule(name: "way", effect: effect)
            (rule.kind, rule.via) = (.login, "jump")
            #expect(throws: RuleError.badRoute) { try rule.check() }
        }
        #expect(Self.rule().missingPartsOfRoute.isEmpty)
        #expect(Self.rule { ($0.via, $0.expires) = (nil, nil) }.missingPartsOfRoute == ["via", "for"])
        #expect(Rule(name: "other", effect: .allow).missingPartsOfRoute.isEmpty)
        for host in ["jump", "JUMP"] {
            #expect(throws: RuleError.routeToItself) { try Self.rule { $0.host = host }.check() }
        }
        let facts = Self.rule().facts
        #expect(facts.contains("Only user: deploy") && facts.contains("Only via: jump"))
    }
}
