import AgentProtocol
import Foundation
import Glibc
import Testing
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// What happens to every operation and every signature, for everyone who may ask: a change of any of it shows here.
struct VerdictTableTests {
    private static let uid = geteuid()
    /// In the order of the columns.
    private static let requesters = [
        // hsip at a terminal, hsip without one
        Requester(uid: uid, program: .own(path: "/usr/bin/hsip"), hasTerminal: true),
        Requester(uid: uid, program: .own(path: "/usr/bin/hsip")),
        // Another program, an unknown one; that they say they have a terminal changes nothing.
        Requester(uid: uid, program: .other(path: "/usr/bin/python3"), hasTerminal: true),
        Requester(uid: uid, program: .unknown, hasTerminal: true),
        // Another user
        Requester(uid: uid + 1, program: .own(path: "/usr/bin/hsip"), hasTerminal: true),
    ]

    /// `yes`, `ask` (a yes may hold for longer), `each` (asked each time), `no`.
    private static func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .allow: "yes"
        case .ask(_, let mayRemember): mayRemember ? "ask" : "each"
        case .deny: "no"
        }
    }

    private static func word(_ act: Act, _ requester: Requester) -> String {
        word(Policy(owner: uid).verdict(on: act, by: requester, time: 0, moment: 0))
    }

    /// What was decided before an operation was one value: operation, then hsip at a terminal, hsip without, another
    /// program, an unknown one, another user, and a program that opened the vault itself, which is asked nothing.
    ///
    /// `free`: no verdict is due, as nothing is let out or decided; `log`: the same, and it is written down.
    /// Where arguments decide, it is as if they asked for the most. A new operation needs no row: the page has it.
    private static let before = """
        audit.check free free free free free free
        audit.list free free free free free free
        clock free free free free free free
        clock.set-back log log log log log free
        code.accept log log ask each each log
        code.close-offers log log log log log free
        code.find free free free free free free
        code.next yes yes yes each each free
        code.offer yes yes yes each each free
        code.open-offers free free free free free free
        contact free free free free free free
        contact.alias free free free free free free
        contact.claimed-number free free free free free free
        contact.compare free free free free free free
        contact.ending free free free free free free
        contact.remove log log log log log free
        contact.restore log log log log log free
        contact.set log ask ask each each free
        contact.trust-new-key log log ask each each log
        contact.verified log log ask each each log
        contacts free free free free free free
        file-key.open yes yes yes each each free
        file-key.seal yes yes yes each each free
        host-keys free free free free free free
        host-keys.check free free free free free free
        host-keys.export free free free free free free
        host-keys.import log ask ask each each log
        host-keys.known free free free free free free
        host-keys.remove log ask ask each each free
        host-keys.remove-line log ask ask each each free
        host-keys.replace log ask ask each each log
        host-keys.restore log ask ask each each log
        host-keys.revoke log log ask each each log
        host-keys.trust log ask ask each each log
        host-keys.try-import free free free free free free
        identity free free free free free free
        identity.create log log log log log free
        identity.revocation yes ask ask each each log
        identity.renew log ask ask each each log
        identity.set log log log log log free
        message.accept log log ask each each log
        message.codes yes yes yes each each free
        message.decrypt yes yes yes each each free
        message.encrypt yes yes yes each each free
        rule.add log ask ask each each log
        rule.remove log ask ask each each log
        rules free free free free free free
        secret free free free free free free
        secret.check yes ask ask each each free
        secret.code yes ask ask each each log
        secret.export yes ask ask each each log
        secret.get yes ask ask each each log
        secret.import log ask ask each each free
        secret.import-trial free ask ask each each free
        secret.move log ask ask each each free
        secret.remove log ask ask each each free
        secret.resolve yes ask ask each each log
        secret.restore log log log log log free
        secret.set log ask ask each each free
        secret.whole yes ask ask each each log
        secrets free free free free free free
        session.ending free free free free free free
        session.export yes ask ask each each log
        session.import log log ask each each log
        session.key-owner free free free free free free
        session.revoke log log log log log free
        session.rotate yes yes yes each each free
        sessions free free free free free free
        ssh-host free free free free free free
        ssh-host.add log ask ask each each free
        ssh-host.default free free free free free free
        ssh-host.remove log ask ask each each free
        ssh-host.restore log ask ask each each free
        ssh-host.set log ask ask each each free
        ssh-host.set-default log log log log log free
        ssh-hosts free free free free free free
        ssh-key.generate log log log log log free
        ssh-key.import log log log log log free
        ssh-key.private yes ask ask each each log
        ssh-key.public free free free free free free
        ssh-key.remove log log log log log free
        ssh-key.restore log ask ask each each free
        ssh-key.rotate log log log log log free
        ssh-key.set log ask ask each each free
        ssh-keys free free free free free free
        text-history yes ask ask each each log
        text-history.add log log log log log free
        text-history.clear log log log log log free
        text-history.remove log log log log log free
        text-history.set log log log log log free
        vault.damage free free free free free free
        vault.export yes ask ask each each log
        vault.import log ask ask each each log
        vault.import-trial free ask ask each each free
        """

    /// Signature, then the columns from another program on, and another program over a forwarded connection.
    private static let signatures = """
        login-known yes each each each
        login-unknown ask each each each
        login-changed no no no no
        login-revoked no no no no
        login-unbound ask each each each
        login-confirm each each each each
        file-own yes each each each
        file-other ask each each each
        certificate ask each each each
        raw each each each each
        """

    /// Operations that a program which opened the vault itself did without a line in the log.
    ///
    /// They have one now, as they have over an agent: what uses a secret or changes the vault is written down wherever the
    /// vault is open. So is what tells such a program whether a value that it brings is the right one.
    private static let recordedNow: Set<String> = [
        "clock.set-back", "code.close-offers", "code.next", "code.offer", "contact.remove",
        "contact.restore", "contact.set", "file-key.open", "file-key.seal", "host-keys.remove",
        "host-keys.remove-line", "identity.create", "identity.set", "message.codes", "message.decrypt",
        "message.encrypt", "secret.check", "secret.import", "secret.import-trial", "secret.move",
        "secret.remove", "secret.restore", "secret.set", "session.revoke", "session.rotate", "ssh-host.add",
        "ssh-host.remove", "ssh-host.restore", "ssh-host.set", "ssh-host.set-default", "ssh-key.generate",
        "ssh-key.import", "ssh-key.remove", "ssh-key.restore", "ssh-key.rotate", "ssh-key.set",
        "text-history.add", "text-history.clear", "text-history.remove", "text-history.set",
        "vault.import-trial",
    ]

    /// Operations that are asked about now, where no person is seen to do them.
    ///
    /// Who says that a clock is right decides what is old enough to be wiped, and when every session expires.
    private static let askedNow: Set<String> = ["clock.set-back"]

    /// The rows of the page of operations: operation, exposure, log, and a verdict for each requester.
    private static func page() throws -> [[String]] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Schemas/operations.md").standardized
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /\n\| `([a-z.-]+)` \| (.+) \|/)
        return rows.map { row in
            [String(row.1)] + row.2.split(separator: " | ").dropLast().map { $0.filter { $0 != "`" } }
        }
        .filter { $0.count == 8 }
    }

    /// The verdict on an operation for each requester, under some rules.
    private static func verdicts(
        _ request: OperationRequest,
        in fixture: GateFixture,
        rules: [Rule] = []
    ) throws(Refusal) -> [String] {
        var words: [String] = []
        for requester in requesters {
            let acts = try fixture.gate.acts(of: request, by: requester)
            let policy = Policy(owner: uid, rules: rules)
            let found = acts.map {
                word(policy.verdict(on: $0, by: requester, time: 0, moment: 0))
            }
            let free = request.entry(besides: acts, by: requester) == nil ? "free" : "log"
            words.append(["no", "each", "ask", "yes"].first { found.contains($0) } ?? free)
        }
        return words
    }

    @Test func `every operation has the verdict that the page says, for every requester`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        var found: [[String]] = []
        for operation in OperationTable.all {
            let request = try #require(OperationRequest.sample(operation.name))
            let before = try await fixture.log().count
            try await fixture.opened.vault.note(request, by: .thisProcess(isOwn: false))
            let inProcess = try await fixture.log().count > before ? "log" : "free"
            let words = try await waiting { Result { try Self.verdicts(request, in: fixture) } }.get()
            // Of neither it is known what it wants the vault for.
            #expect(words[3] == words[4])
            found.append(
                [
                    operation.name, operation.exposures.map(\.word).joined(separator: " or "),
                    operation.audit?.word ?? "-",
                ] + words.prefix(4) + [inProcess]
            )
        }
        let (page, table) = (Set(try Self.page()), Set(found))
        #expect(table.subtracting(page).sorted { $0[0] < $1[0] } == [])
        #expect(page.subtracting(table).sorted { $0[0] < $1[0] } == [])
        #expect(try Self.page().count == found.count)
    }

    @Test func `no verdict is another than before, but for those that are named here`() throws {
        let rows = Dictionary(try Self.page().map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
        for line in Self.before.split(separator: "\n") {
            let old = line.split(separator: " ").map { String($0) }
            let row = try #require(rows[old[0]])
            let verdicts = Self.askedNow.contains(old[0]) ? ["log", "ask", "ask", "each"] : Array(old[1...4])
            // A yes to what decides later was remembered.
            let decides = row[1].contains("decides-later") || row[1].contains("trust")
            let now = verdicts.map { decides && $0 == "ask" ? "each" : $0 }
            #expect(now == Array(row[3...6]), "\(old[0])")
            #expect(old[4] == old[5])
            #expect(Self.recordedNow.contains(old[0]) == (old[6] != row[7]), "\(old[0])")
            #expect(row[7] == "log" || old[6] == "free", "\(old[0])")
        }
    }

    // A rule that allowed reads allowed these, too: a rule by which a script reads let it change the rules.
    @Test func `a rule that allows reads decides nothing that decides later`() async throws {
        let fixture = try GateFixture()
        try await fixture.open()
        var read = Rule(name: "read", effect: .allow)
        read.kind = .read
        for operation in OperationTable.all {
            let request = try #require(OperationRequest.sample(operation.name))
            let decides = request.policy.exposure.parts.contains { part in
                switch part {
                case .trust, .decidesLater: true
                default: false
                }
            }
            let words = try await waiting { [read] in
                Result { try Self.verdicts(request, in: fixture, rules: [read]) }
            }.get()
            #expect((words[2] == "each") == decides, "\(operation.name)")
        }
    }

    @Test func `every signature has the verdict that is written here, for every requester`() {
        func key(confirmed: Bool = false) -> KeyFacts {
            KeyFacts(name: "k", fingerprint: "SHA256:k", needsConfirmation: confirmed, namespaces: ["git"])
        }
        func login(_ status: HostFacts.Status) -> Purpose {
            .login(user: "me", host: HostFacts(names: ["h"], fingerprint: "SHA256:h", status: status))
        }
        let rows: [(String, KeyFacts, Purpose, Route)] = [
            ("login-known", key(), login(.known), .direct),
            ("login-unknown", key(), login(.unknown), .direct),
            ("login-changed", key(), login(.changed), .direct),
            ("login-revoked", key(), login(.revoked), .direct),
            ("login-unbound", key(), .login(user: "me", host: nil), .unbound),
            ("login-confirm", key(confirmed: true), login(.known), .direct),
            ("file-own", key(), .file(namespace: "git"), .direct),
            ("file-other", key(), .file(namespace: "file"), .direct),
            ("certificate", key(), .certificate, .direct), ("raw", key(), .raw, .direct),
        ]
        let found = rows.map { name, key, purpose, route in
            let words = Self.requesters.dropFirst(2).map { Self.word(.sign(key, purpose, route), $0) }
            let forwarded = Self.word(
                .sign(key, purpose, .forwarded(through: ["bastion"])),
                Self.requesters[2]
            )
            return ([name] + words + [forwarded]).joined(separator: " ")
        }
        #expect(found == Self.signatures.split(separator: "\n").map(String.init))
    }

    @Test func `what lets nothing out is not asked about as if it did`() throws {
        for operation in OperationTable.all {
            let request = try #require(OperationRequest.sample(operation.name, ["x"])).policy
            let acts = request.acts(by: Self.requesters[2], owner: Self.uid) { [] }
            for act in acts {
                let part = try #require(request.part(of: act))
                let titles = QuestionText.confirm([act], of: request, by: Self.requesters[2]).map(\.title)
                let isLetOut =
                    switch part {
                    case .values, .everything: true
                    default: false
                    }
                let verbs = [" read ", " get ", " send ", " export "]
                let found = titles.map { title in verbs.contains { title.contains($0) } }
                #expect(found == [isLetOut], "\(titles)")
            }
        }
    }
}
