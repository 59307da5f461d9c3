import Testing
import VaultPolicy

/// What a lease allows, and what counts more.
struct LeaseTests {
    private static let lease = Lease(
        number: 12,
        reason: "deploy 4.2",
        things: [
            .secret(name: "ci/npm"): LeasedFacts(revision: 3),
            .login(key: "deploy", host: "build1"): LeasedFacts(
                revision: 4,
                key: "SHA256:deploy",
                hostKeys: ["SHA256:any"],
                certifiedName: "build1"
            ),
            .item(id: "leased"): LeasedFacts(revision: 5),
        ],
        ends: 100
    )
    private static let shell = Program.other(path: "/usr/bin/sh")

    private static func requester(_ program: Program = shell, uid: UInt32 = 1000) -> Requester {
        var requester = Requester(uid: uid, pid: 7, program: program, hasTerminal: true)
        requester.lease = lease
        return requester
    }

    private static func verdict(
        _ act: Act,
        _ requester: Requester = requester(),
        rules: [Rule] = [],
        at moment: UInt64 = 50
    ) -> Verdict {
        Policy(owner: 1000, rules: rules).verdict(on: act, by: requester, time: 0, moment: moment)
    }

    private static func read(_ name: String = "ci/npm", _ operation: String = "secret.get") -> Act {
        .read(operation: operation, name: name)
    }

    @Test(arguments: ["secret.get", "secret.resolve", "secret.whole"])
    func `it allows that its secrets are read, with its number and reason`(operation: String) {
        let verdict = Self.verdict(Self.read("ci/npm", operation))
        #expect(verdict == .allow(.lease(12, "deploy 4.2")))
        #expect(verdict.reason.code == "lease:12 deploy 4.2")
    }

    @Test(arguments: [
        Self.read("prod"), Self.read(""), Self.read("ci/npm2"), Self.read("ci/npm", "ssh-key.private"),
        Self.read("ci/npm", "secret.code"), Self.read("ci/npm", "secret.send"),
        Self.read("ci/npm", "vault.export"),
    ])
    func `anything else that is read is asked about`(act: Act) {
        #expect(Self.verdict(act) == .ask(.row(.otherRead), mayRemember: true))
    }

    @Test func `it changes nothing that decides later`() {
        let act = Act.decide(operation: "secret.rename", name: "ci/npm")
        #expect(Self.verdict(act) == .ask(.row(.decision), mayRemember: false))
    }

    /// A login by a key that asks at each use.
    private static func login(
        key: String = "SHA256:deploy",
        to server: HostFacts? = host(["build1"]),
        over route: Route = .direct
    ) -> Act {
        let facts = KeyFacts(name: "deploy", fingerprint: key, needsConfirmation: true, namespaces: [])
        return .sign(facts, .login(user: "root", host: server), route)
    }

    private static func host(
        _ names: [String],
        _ fingerprint: String = "SHA256:any",
        profiles: [String] = [],
        status: HostFacts.Status = .known
    ) -> HostFacts {
        var facts = HostFacts(names: names, fingerprint: fingerprint, status: status)
        facts.profiles = profiles
        return facts
    }

    @Test(arguments: [
        host(["web"]), host([], profiles: ["other"]), host(["build1"], "SHA256:certified"),
    ])
    func `it allows logins by its key to its server, also by a key set to confirm`(server: HostFacts) {
        #expect(Self.verdict(Self.login(to: server)) == .allow(.lease(12, "deploy 4.2")))
    }

    @Test(arguments: [
        (login(key: "SHA256:other"), Row.Name.confirmEachUse),
        (login(to: host(["web"], "SHA256:x")), .confirmEachUse),
        (login(to: host(["[build1]:2222"], "SHA256:x", profiles: ["build1"])), .confirmEachUse),
        (login(to: nil), .confirmEachUse),
        (login(to: host(["build1"], status: .unknown)), .confirmEachUse),
        (login(over: .unbound), .confirmEachUse),
        (login(over: .forwarded(through: [])), .forwarded),
        (login(over: .relayed(through: host(["jump"]))), .forwarded),
        (login(to: host(["build1"], status: .revoked)), .hostRevoked),
        (login(to: host(["build1"], status: .changed)), .hostChanged),
    ])
    func `any other login is as without it`(act: Act, row: Row.Name) {
        #expect(Self.verdict(act).reason == .row(row))
    }

    @Test func `its key signs nothing but logins`() {
        let key = KeyFacts(
            name: "deploy",
            fingerprint: "SHA256:deploy",
            needsConfirmation: true,
            namespaces: ["git"]
        )
        for purpose in [Purpose.file(namespace: "git"), .certificate, .raw] {
            let verdict = Self.verdict(.sign(key, purpose, .direct))
            #expect(verdict.reason != .lease(12, "deploy 4.2"))
            if case .allow = verdict { Issue.record("allowed") }
        }
    }

    @Test(arguments: [
        ("leased", ItemRelation.others, false, true), ("leased", .nobodys, false, true),
        ("leased", .own, false, true), ("leased", .others, true, false), ("other", .others, false, false),
    ])
    func `it allows a program on the bus to read its item, and never to change it`(
        id: String,
        relation: ItemRelation,
        hasEnded: Bool,
        isAllowed: Bool
    ) {
        var tool = Requester(
            uid: 1000,
            pid: 7,
            bus: BusProgram(identity: ProgramIdentity("/usr/bin/secret-tool"), start: 1)
        )
        tool.lease = Self.lease
        let item = ItemFacts(id: id, label: "mail", owner: nil, relation: relation, hasEnded: hasEnded)
        let read = Self.verdict(.item(operation: "item.get", item), tool)
        #expect((read == .allow(.lease(12, "deploy 4.2"))) == isAllowed)
        let change = Self.verdict(.itemChange(operation: "item.set", item), tool)
        #expect(change.reason != .lease(12, "deploy 4.2"))
    }

    @Test(arguments: [99 as UInt64, 100, 101])
    func `it ends at its moment`(moment: UInt64) {
        let isAllowed = Self.verdict(Self.read(), at: moment) == .allow(.lease(12, "deploy 4.2"))
        #expect(isAllowed == (moment < 100))
    }

    @Test(arguments: [Effect.deny, .ask, .each])
    func `a rule that refuses or asks counts more`(effect: Effect) {
        var rule = Rule(name: "no", effect: effect)
        rule.subject = "ci/*"
        let verdict = Self.verdict(Self.read(), rules: [rule])
        #expect(verdict.reason == .rule("no"))
        if case .allow = verdict { Issue.record("allowed") }
    }

    @Test func `hsip at a terminal is no person inside one`() {
        let inside = Self.requester(.own(path: "/usr/bin/hsip"))
        #expect(!inside.isPerson)
        #expect(Self.verdict(Self.read("prod"), inside) == .ask(.row(.otherRead), mayRemember: true))
        let request = PolicyRequest(
            operation: "rule.add",
            exposure: .decidesLater("add a rule"),
            subjects: ["x"]
        )
        #expect(request.acts(by: inside, owner: 1000) { [] } == [.decide(operation: "rule.add", name: "x")])
    }

    @Test(arguments: [(Program.unknown, 1000 as UInt32, Row.Name.unknownProgram), (shell, 1001, .otherUser)])
    func `a program that is not known, and one of another user, has none`(
        program: Program,
        uid: UInt32,
        row: Row.Name
    ) {
        #expect(
            Self.verdict(Self.read(), Self.requester(program, uid: uid))
                == .ask(.row(row), mayRemember: false)
        )
    }

    @Test(arguments: [
        ("deploy 4.2", true), (String(repeating: "x", count: 200), true), ("für den Übergang", true),
        ("", false),
        (String(repeating: "x", count: 201), false), (String(repeating: "中", count: 100), false),
        ("a\nb", false),
        ("a\u{1B}[2Jb", false), ("\u{202E}b", false), ("a\u{2028}b", false), ("a\u{0}", false),
    ])
    func `a reason is one line without control characters`(text: String, isReason: Bool) {
        #expect(Lease.isReason(text) == isReason)
    }
}
