import Testing
import VaultPolicy

/// What programs on the bus may do.
struct BusTests {
    private func verdict(_ act: Act, by requester: Requester = Case.git, rules: [Rule] = []) -> Verdict {
        Policy(owner: Case.owner, rules: rules).verdict(on: act, by: requester, time: 0, moment: 0)
    }

    private func rule(_ effect: Effect, _ kind: ActKind? = nil, _ set: (inout Rule) -> Void = { _ in })
        -> Rule
    {
        var rule = Rule(name: "r", effect: effect)
        rule.kind = kind
        set(&rule)
        return rule
    }

    @Test func `a program on the bus has items and nothing else`() {
        let acts: [Act] = [
            Case.secret, Case.login(), .use(operation: "message.encrypt", name: "bob"),
            .decide(operation: "rule.add", name: "r"),
        ]
        for act in acts {
            guard case .deny = verdict(act) else {
                Issue.record("not refused: \(act)")
                continue
            }
        }
        let request = PolicyRequest(operation: "secret.get", exposure: .values("have %1"), subjects: ["x"])
        #expect(request.acts(by: Case.git, owner: Case.owner) { [] } == [])
    }

    @Test func `no one on a socket has what programs on the bus have`() {
        for requester in [Case.ssh, Case.terminal, Case.script] {
            for act in [Case.item(.own), Case.change(.own), Case.item(.granted)] {
                guard case .deny = verdict(act, by: requester) else {
                    Issue.record("not refused: \(act)")
                    continue
                }
            }
        }
    }

    @Test func `a program on the bus is never hsip in front of a person`() throws {
        let requester = Case.bus("/usr/bin/hsip")
        #expect(!requester.isPerson)
        #expect(requester.program == .other(path: "/usr/bin/hsip"))
        #expect(Case.bus(nil).program == .unknown)
        #expect(Case.bus(nil).chain.isEmpty)
    }

    @Test func `rules of other kinds allow nothing on the bus`() {
        let asked = Case.item(.others)
        let rules = [rule(.allow, .read), rule(.allow, .use), rule(.allow) { $0.program = "/usr/bin/git" }]
        for rule in rules {
            #expect(verdict(asked, rules: [rule]) == .ask(.row(.otherItem), mayRemember: true))
        }
        #expect(verdict(asked, rules: [rule(.allow, .item)]) == .allow(.rule("r")))
        #expect(verdict(Case.change(.others), rules: [rule(.allow, .itemChange)]) == .allow(.rule("r")))
        #expect(
            verdict(Case.change(.others), rules: [rule(.allow, .item)])
                == .ask(.row(.otherItem), mayRemember: true)
        )
    }

    @Test func `a rule without a kind asks and refuses on the bus, too`() {
        #expect(verdict(Case.item(.own), rules: [rule(.deny)]) == .deny(.rule("r")))
        #expect(verdict(Case.item(.own), rules: [rule(.ask)]) == .ask(.rule("r"), mayRemember: true))
        #expect(verdict(Case.item(.own), rules: [rule(.deny, .read)]) == .allow(.row(.ownItem)))
    }

    @Test func `a rule that refuses wins over a person's lasting yes`() {
        #expect(verdict(Case.item(.granted), rules: [rule(.deny, .item)]) == .deny(.rule("r")))
    }

    @Test func `each asks about every use, whatever was remembered`() throws {
        var policy = Policy(owner: Case.owner, rules: [rule(.each, .item)])
        let act = Case.item(.own)
        policy.remembered.remember(try #require(Approval(act, by: Case.git)), for: 60, at: 0)
        let asked = Verdict.ask(.rule("r"), mayRemember: false)
        #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 1) == asked)
        policy.rules.append(rule(.ask, .item))
        #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 1) == asked)
        policy.rules.append(rule(.deny, .item))
        #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 1) == .deny(.rule("r")))
    }

    @Test func `an owner, a schema and an id say which items a rule is about`() {
        let act = Case.item(.others)
        let fitting: [(inout Rule) -> Void] = [
            { $0.owner = "/usr/bin/owner" }, { $0.schema = "org.example.Password" },
            { $0.subject = "0123456789abcdef" }, { $0.program = "/usr/bin/git" },
        ]
        for set in fitting {
            #expect(verdict(act, rules: [rule(.allow, .item, set)]) == .allow(.rule("r")))
        }
        let others: [(inout Rule) -> Void] = [
            { $0.owner = "/usr/bin/own" }, { $0.schema = "org.example" }, { $0.subject = "Token" },
            { $0.program = "/usr/bin/python3" },
        ]
        for set in others {
            #expect(
                verdict(act, rules: [rule(.allow, .item, set)]) == .ask(.row(.otherItem), mayRemember: true)
            )
        }
        // Nobody's item has no owner that a rule could name.
        let nobodys = rule(.deny, .item) { $0.owner = "/usr/bin/owner" }
        #expect(verdict(Case.item(.nobodys), rules: [nobodys]) == .ask(.row(.nobodysItem), mayRemember: true))
    }

    @Test func `a sandboxed program is named by its identity`() {
        let program = Case.bus("flatpak:org.example.App")
        let named = rule(.allow, .item) { $0.program = "flatpak:org.example.App" }
        #expect(verdict(Case.item(.others), by: program, rules: [named]) == .allow(.rule("r")))
        #expect(verdict(Case.item(.others), rules: [named]) == .ask(.row(.otherItem), mayRemember: true))
    }

    @Test func `inside fits a program up the chain or the unit, and only to be stricter`() throws {
        let inside = rule(.each, .item) { $0.inside = "/usr/bin/claude" }
        let unit = rule(.deny, .item) { $0.inside = "unit:agent.service" }
        let below = Case.bus(
            "/usr/bin/git",
            chain: ["/usr/bin/git", "/usr/bin/claude"],
            unit: "agent.service"
        )
        #expect(verdict(Case.item(.own), by: below, rules: [inside]) == .ask(.rule("r"), mayRemember: false))
        #expect(verdict(Case.item(.own), by: below, rules: [unit]) == .deny(.rule("r")))
        #expect(verdict(Case.item(.own), rules: [inside, unit]) == .allow(.row(.ownItem)))
        #expect(throws: RuleError.insideAllows) {
            try rule(.allow, .item) { $0.inside = "/usr/bin/claude" }.check()
        }
        try inside.check()
        try unit.check()
    }

    @Test func `a rule whose conditions cannot fit together is refused`() {
        #expect(throws: RuleError.neverCovered) { try rule(.deny, .read) { $0.owner = "/a" }.check() }
        #expect(throws: RuleError.neverCovered) { try rule(.deny, .item) { $0.host = "h" }.check() }
        #expect(throws: RuleError.neverCovered) { try rule(.allow) { $0.schema = "s" }.check() }
        #expect(throws: RuleError.badProgram) { try rule(.deny, .item) { $0.owner = "nobody" }.check() }
        #expect(throws: RuleError.badInside) { try rule(.deny, .item) { $0.inside = "claude" }.check() }
        #expect(throws: RuleError.badProgram) { try rule(.deny, .item) { $0.program = "flatpak:" }.check() }
    }

    @Test func `one yes lets a program change, delete and read an item, and replace none`() throws {
        let asked = Verdict.ask(.row(.otherItem), mayRemember: true)
        let set = Case.change(.others)
        let remove = Act.itemChange(operation: "item.remove", Case.facts(.others))
        let read = Act.item(operation: "item.get", Case.facts(.others))
        let make = Act.itemChange(operation: "item.make", Case.facts(.others))
        let other = Act.itemChange(operation: "item.set", Case.facts(.others, id: "f"))
        for yes in [set, remove] {
            var policy = Policy(owner: Case.owner)
            for act in yes.approved {
                policy.remembered.remember(try #require(Approval(act, by: Case.git)), for: 60, at: 0)
            }
            for act in [set, remove, read] {
                #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 59) == .allow(.remembered))
                #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 60) == asked)
            }
            for act in [make, other] {
                #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 1) == asked)
            }
        }
        // A yes to read, or to replace, is one to nothing else.
        for (yes, others) in [(read, [set, remove, make]), (make, [set, remove, read])] {
            var policy = Policy(owner: Case.owner)
            for act in yes.approved {
                policy.remembered.remember(try #require(Approval(act, by: Case.git)), for: 60, at: 0)
            }
            for act in others {
                #expect(policy.verdict(on: act, by: Case.git, time: 0, moment: 1) == asked)
            }
        }
    }

    @Test func `a yes to a tool that anybody can run covers the process that asked alone`() throws {
        var policy = Policy(owner: Case.owner)
        let act = Case.item(.own)
        policy.remembered.remember(try #require(Approval(act, by: Case.python)), for: 60, at: 0)
        #expect(policy.verdict(on: act, by: Case.python, time: 0, moment: 1) == .allow(.remembered))
        let another = Case.bus("/usr/bin/python3.11", start: 101)
        let asked = Verdict.ask(.row(.sharedTool), mayRemember: true)
        #expect(policy.verdict(on: act, by: another, time: 0, moment: 1) == asked)
    }

    @Test func `a yes to an item covers this program and this item, to read and again to read`() throws {
        var policy = Policy(owner: Case.owner)
        let asked = Act.item(operation: "item.grant", Case.facts(.others))
        policy.remembered.remember(try #require(Approval(asked, by: Case.git)), for: 60, at: 0)
        let read = Act.item(operation: "item.get", Case.facts(.others))
        #expect(policy.verdict(on: read, by: Case.git, time: 0, moment: 59) == .allow(.remembered))
        let others: [(Act, Requester)] = [
            (read, Case.python), (.item(operation: "item.get", Case.facts(.others, id: "f")), Case.git),
            (.itemChange(operation: "item.set", Case.facts(.others)), Case.git),
        ]
        for (act, requester) in others {
            #expect(
                policy.verdict(on: act, by: requester, time: 0, moment: 1)
                    == .ask(.row(.otherItem), mayRemember: true)
            )
        }
        #expect(Approval(asked, by: Case.bus(nil)) == nil)
    }

    @Test(arguments: [
        "/usr/bin/python3", "/usr/bin/python3.12", "/opt/node/bin/node", "/usr/bin/perl5.36", "/bin/sh",
        "/usr/bin/secret-tool", "/usr/lib/electron30/electron", "/usr/bin/gjs-console", "/usr/bin/lua5.4",
        "/usr/bin/node-20", "/usr/bin/node22", "/usr/bin/ksh93", "/usr/bin/Rscript",
        "/lib/ld-musl-x86_64.so.1",
    ])
    func `a tool that anybody can run is known by the name of its file`(path: String) throws {
        #expect(SharedTools.contains(try #require(ProgramIdentity(path))))
    }

    @Test(arguments: [
        "/usr/bin/git", "/usr/lib/chromium/chromium", "/usr/bin/nodejs-app", "/python3/tool",
        "flatpak:python3",
        "snap:node", "/usr/bin/bash-completion",
    ])
    func `another program is none`(path: String) throws {
        #expect(!SharedTools.contains(try #require(ProgramIdentity(path))))
    }
}
