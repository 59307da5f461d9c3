import Testing
import VaultPolicy

/// What a lease allows, and what counts more.
struct LeaseTests {
    private static let lease = Lease(number: 12, reason: "deploy 4.2", secrets: ["ci/npm"], ends: 100)
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
