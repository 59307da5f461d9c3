import Testing
import VaultPolicy

/// Rules that the owner made ahead.
struct RuleTests {
    private func rule(_ effect: Effect, _ name: String = "r", _ set: (inout Rule) -> Void = { _ in }) -> Rule
    {
        var rule = Rule(name: name, effect: effect)
        set(&rule)
        return rule
    }

    private func verdict(_ act: Act, rules: [Rule], time: UInt64 = 0) -> Verdict {
        Policy(owner: Case.owner, rules: rules).verdict(on: act, by: Case.ssh, time: time, moment: 0)
    }

    @Test func `the strictest rule holds in whatever order they were made`() {
        let (allow, ask, deny) = (rule(.allow, "a"), rule(.ask, "b"), rule(.deny, "c"))
        for rules in [[allow, ask, deny], [deny, ask, allow], [ask, deny, allow]] {
            #expect(verdict(Case.login(), rules: rules) == .deny(.rule("c")))
        }
        for rules in [[allow, ask], [ask, allow]] {
            #expect(verdict(Case.login(), rules: rules) == .ask(.rule("b"), mayRemember: true))
        }
    }

    @Test func `every condition that is set has to fit`() {
        let login = Case.login()
        let fitting: [(inout Rule) -> Void] = [
            { $0.subject = "work" }, { $0.subject = "SHA256:work" }, { $0.program = "/usr/bin/ssh" },
            { $0.host = "DB1.example.org" }, { $0.host = "SHA256:host" }, { $0.kind = .login },
        ]
        let others: [(inout Rule) -> Void] = [
            { $0.subject = "home" }, { $0.program = "/usr/bin/scp" }, { $0.host = "db2.example.org" },
            { $0.namespace = "git" }, { $0.kind = .file },
        ]
        for set in fitting { #expect(verdict(login, rules: [rule(.deny, "r", set)]) == .deny(.rule("r"))) }
        for set in others {
            #expect(verdict(login, rules: [rule(.deny, "r", set)]) == .allow(.row(.directLogin)))
            for both in fitting {
                let mixed = rule(.deny) {
                    both(&$0); set(&$0)
                }
                #expect(verdict(login, rules: [mixed]) == .allow(.row(.directLogin)))
            }
        }
    }

    @Test func `what decides later verdicts is allowed only by a rule that says so, and refused as ever`() {
        let decision = Act.decide(operation: "ssh-key.set", name: "work")
        let asked = Verdict.ask(.row(.decision), mayRemember: false)
        let other: [(inout Rule) -> Void] = [
            { $0.kind = .read }, { $0.subject = "work" }, { $0.program = "/usr/bin/ssh" }, { $0.kind = .use },
        ]
        for set in other { #expect(verdict(decision, rules: [rule(.allow, "r", set)]) == asked) }
        let named = rule(.allow) { $0.kind = .decide }
        #expect(verdict(decision, rules: [named]) == .allow(.rule("r")))
        // It allows no read.
        #expect(verdict(Case.secret, rules: [named]) == .ask(.row(.otherRead), mayRemember: true))
        for kind in [nil, ActKind.read, .decide] {
            #expect(verdict(decision, rules: [rule(.deny) { $0.kind = kind }]) == .deny(.rule("r")))
        }
        #expect(verdict(decision, rules: [rule(.deny) { $0.kind = .use }]) == asked)
    }

    @Test func `a rule ends by itself`() {
        let ended = rule(.deny) { $0.expires = 100 }
        #expect(verdict(Case.login(), rules: [ended], time: 99) == .deny(.rule("r")))
        #expect(verdict(Case.login(), rules: [ended], time: 100) == .allow(.row(.directLogin)))
    }

    @Test(arguments: [
        (Rule(name: "", effect: .deny), RuleError.badName),
        (Rule(name: "Ärger", effect: .deny), .badName),
        (Rule(name: String(repeating: "a", count: 65), effect: .deny), .badName),
        (Rule(name: "all", effect: .allow), .allowsEverything),
    ])
    func `a rule that means nothing or too much is refused`(rule: Rule, error: RuleError) {
        #expect(throws: error) { try rule.check() }
    }

    @Test func `values of rules are plain text and programs are paths`() {
        #expect(throws: RuleError.badValue) { try rule(.deny) { $0.subject = "" }.check() }
        #expect(throws: RuleError.badValue) { try rule(.deny) { $0.subject = "a\u{1B}[2J" }.check() }
        #expect(throws: RuleError.badValue) {
            try rule(.deny) { $0.subject = String(repeating: "a", count: 257) }.check()
        }
        #expect(throws: RuleError.badProgram) { try rule(.deny) { $0.program = "ssh" }.check() }
        #expect(throws: RuleError.neverCovered) { try rule(.allow) { $0.kind = .raw }.check() }
    }

    @Test func `what runs inside a program or a unit is asked about or refused, and never allowed`() throws {
        let places: Set<String> = ["/usr/bin/python3.11", "/opt/tool/agent", "unit:tools.slice"]
        let inner = Requester(uid: Case.owner, program: .other(path: "/usr/bin/python3.11"), inside: places)
        func verdict(_ rules: [Rule], by requester: Requester) -> Verdict {
            Policy(owner: Case.owner, rules: rules).verdict(
                on: Case.login(),
                by: requester,
                time: 0,
                moment: 0
            )
        }
        for place in places {
            let each = rule(.each) { $0.inside = place }
            try each.check()
            #expect(verdict([each], by: inner) == .ask(.rule("r"), mayRemember: false))
            #expect(verdict([each], by: Case.ssh) == .allow(.row(.directLogin)))
            #expect(verdict([rule(.deny) { $0.inside = place }], by: inner) == .deny(.rule("r")))
            #expect(throws: RuleError.insideAllows) {
                try rule(.allow) {
                    ($0.kind, $0.inside) = (.login, place)
                }
                .check()
            }
        }
        for place in ["/opt/tool", "unit:tools", "/tools.slice"] {
            #expect(verdict([rule(.deny) { $0.inside = place }], by: inner) == .allow(.row(.directLogin)))
        }
        for place in ["tools.slice", "unit:", "unit:a/b", "Unit:a", "./a"] {
            #expect(throws: RuleError.badInside, "\(place)") { try rule(.deny) { $0.inside = place }.check() }
        }
    }

    @Test func `a question about a rule tells each condition and that it asks each time`() {
        let facts = rule(.each) { ($0.kind, $0.inside) = (.read, "unit:tools.slice") }.facts
        #expect(
            facts == [
                "Rule: ask each time, acts of kind read", "Only inside: unit:tools.slice", "No end",
            ]
        )
    }

    private func verdict(_ name: String, rules: [Rule]) -> Verdict {
        Policy(owner: Case.owner, rules: rules).verdict(
            on: .read(operation: "secret.get", name: name),
            by: Case.terminal,
            time: 0,
            moment: 0
        )
    }

    @Test func `a rule about a folder is about all below it, and nothing beside it`() {
        let folder = rule(.deny) { $0.subject = "ci/*" }
        for name in ["ci/token", "ci/prod/db/token", "ci/*", "ci/\u{301}x"] {
            #expect(verdict(name, rules: [folder]) == .deny(.rule("r")), "\(name)")
        }
        for name in ["ci", "cis/token", "x/ci/token", "", "CI/token"] {
            #expect(verdict(name, rules: [folder]) == .allow(.row(.ownRead)), "\(name)")
        }
        // Not a folder, so a name as any other one.
        let star = rule(.deny) { $0.subject = "c*" }
        #expect(verdict("ci/token", rules: [star]) == .allow(.row(.ownRead)))
        #expect(verdict("c*", rules: [star]) == .deny(.rule("r")))
    }

    @Test(arguments: [Effect.allow, .ask, .deny])
    func `a host without a port means every port where that is stricter`(effect: Effect) {
        func login(at name: String) -> Act {
            let host = HostFacts(names: [name], fingerprint: "SHA256:h", status: .known)
            return .sign(Case.key, .login(user: "me", host: host), .direct)
        }
        let bare = rule(effect) { $0.host = "db1" }
        #expect(bare.covers(login(at: "db1"), by: Case.ssh, at: 0))
        #expect(bare.covers(login(at: "[db1]:2222"), by: Case.ssh, at: 0) == (effect != .allow))
        #expect(!bare.covers(login(at: "[db12]:2222"), by: Case.ssh, at: 0))
        let exact = rule(effect) { $0.host = "[db1]:2222" }
        #expect(exact.covers(login(at: "[db1]:2222"), by: Case.ssh, at: 0))
        #expect(!exact.covers(login(at: "db1"), by: Case.ssh, at: 0))
    }

    @Test func `a host is named by a profile that leads there, too`() {
        var host = HostFacts(names: ["db1.example.org"], fingerprint: "SHA256:h", status: .known)
        host.profiles = ["prod"]
        let login = Act.sign(Case.key, .login(user: "me", host: host), .direct)
        #expect(rule(.deny) { $0.host = "prod" }.covers(login, by: Case.ssh, at: 0))
        #expect(!rule(.deny) { $0.host = "test" }.covers(login, by: Case.ssh, at: 0))
    }
}
