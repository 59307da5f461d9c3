import Testing
import VaultPolicy

/// What a yes that was given once covers later.
struct RememberedTests {
    private static let unbound = Case.login(Case.key, at: .known, .unbound)

    private func policy(_ act: Act, by requester: Requester = Case.ssh, seconds: UInt64 = 60) throws -> Policy
    {
        var policy = Policy(owner: Case.owner)
        policy.remembered.remember(try #require(Approval(act, by: requester)), for: seconds, at: 1_000)
        return policy
    }

    @Test func `a yes holds for its time and no longer`() throws {
        let policy = try policy(Self.unbound)
        #expect(
            policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_059) == .allow(.remembered)
        )
        #expect(
            policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_060)
                == .ask(.row(.unboundLogin), mayRemember: true)
        )
    }

    @Test func `a yes covers no other user, key, program or secret`() throws {
        let policy = try policy(Self.unbound)
        let others: [(Act, Requester)] = [
            (Case.login(Case.key, at: .known, .unbound, user: "root"), Case.ssh),
            (Case.login(Case.added, at: .known, .unbound), Case.ssh),
            (Self.unbound, Requester(uid: Case.owner, program: .other(path: "/usr/bin/scp"))),
            (Case.secret, Case.ssh),
            (.sign(Case.key, .file(namespace: "file"), .unbound), Case.ssh),
            (.sign(Case.key, .certificate, .unbound), Case.ssh),
        ]
        for (act, requester) in others {
            guard case .ask = policy.verdict(on: act, by: requester, time: 0, moment: 1_001) else {
                Issue.record("covered: \(act)")
                continue
            }
        }
    }

    @Test func `a remembered yes never covers forwarded uses, raw data or keys set to confirm`() throws {
        let acts: [Act] = [
            Case.login(Case.key, at: .known, Case.forwarded), .sign(Case.key, .raw, .direct),
            Case.login(Case.careful),
        ]
        for act in acts {
            guard
                case .ask(_, mayRemember: false) = try policy(act)
                    .verdict(on: act, by: Case.ssh, time: 0, moment: 1_001)
            else {
                Issue.record("covered: \(act)")
                continue
            }
        }
        #expect(Approval(Self.unbound, by: Case.stranger) == nil)
    }

    @Test(arguments: ["host-keys.import", "ssh-host.set", "ssh-key.set", "rule.add", "contact.verified"])
    func `a yes to a change of trust covers no other change under the same name`(operation: String) {
        let act = Act.decide(operation: operation, name: "prod")
        #expect(Approval(act, by: Case.ssh) == nil)
        let rules = [[], [Rule(name: "ask", effect: .ask)]]
        for rules in rules {
            let policy = Policy(owner: Case.owner, rules: rules)
            let reason: Reason = rules.isEmpty ? .row(.decision) : .rule("ask")
            #expect(
                policy.verdict(on: act, by: Case.ssh, time: 0, moment: 1_001)
                    == .ask(reason, mayRemember: false)
            )
        }
    }

    @Test func `a rule that asks is answered by a remembered yes, one that refuses is not`() throws {
        var policy = try policy(Self.unbound)
        policy.rules = [Rule(name: "ask", effect: .ask)]
        #expect(policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_001) == .allow(.remembered))
        policy.rules.append(Rule(name: "no", effect: .deny))
        #expect(policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_001) == .deny(.rule("no")))
    }

    @Test func `a rule that asks each time is not answered by a remembered yes`() throws {
        var policy = try policy(Self.unbound)
        policy.rules = [Rule(name: "each", effect: .each), Rule(name: "ask", effect: .ask)]
        #expect(
            policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_001)
                == .ask(.rule("each"), mayRemember: false)
        )
        policy.rules.append(Rule(name: "no", effect: .deny))
        #expect(policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_001) == .deny(.rule("no")))
    }

    @Test func `nothing holds longer than eight hours`() throws {
        let policy = try policy(Self.unbound, seconds: .max)
        #expect(
            policy.verdict(on: Self.unbound, by: Case.ssh, time: 0, moment: 1_000 + 8 * 3_600)
                == .ask(.row(.unboundLogin), mayRemember: true)
        )
    }

    @Test func `the number of remembered answers is bounded`() throws {
        var remembered = Remembered()
        for number in 0..<1_000 {
            let act = Act.read(operation: "ssh.key", name: "\(number)")
            remembered.remember(try #require(Approval(act, by: Case.ssh)), for: 60, at: UInt64(number) / 100)
        }
        #expect(remembered.count == Remembered.maximum)
    }

    @Test func `a yes ahead of a read is used once, over its connection, in time`() {
        var remembered = Remembered()
        func use(_ item: String, over connection: String, at moment: UInt64) -> Bool {
            remembered.useUp(Approval(nextReadOf: item, over: connection), at: moment)
        }
        remembered.remember(Approval(nextReadOf: "1", over: ":1.5"), for: 60, at: 100)
        #expect(!use("1", over: ":1.6", at: 101))
        #expect(!use("2", over: ":1.5", at: 101))
        #expect(use("1", over: ":1.5", at: 159))
        #expect(!use("1", over: ":1.5", at: 159))
        remembered.remember(Approval(nextReadOf: "1", over: ":1.5"), for: 60, at: 200)
        #expect(!use("1", over: ":1.5", at: 260))
    }
}
