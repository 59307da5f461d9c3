import Glibc
import Testing
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// What happens to every operation and every signature, for everybody who may ask: a change of any of it shows here.
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

    /// Operation, then hsip at a terminal, hsip without, another program, an unknown one, another user, and a program
    /// that opened the vault itself, which is asked nothing.
    ///
    /// `free`: no verdict is due, as nothing is let out or decided; `log`: the same, and it is written down.
    /// Where arguments decide, it is as if they asked for the most.
    private static let operations = """
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
        code.preview free free free free free free
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

    @Test func `every operation has the verdict that is written here, whoever asks`() async throws {
        let house = try GateHouse()
        try await house.open()
        var logged: [String: Bool] = [:]
        for name in OperationTable.names {
            let before = try await house.log().count
            try await house.opened.vault.note(name, try #require(OperationTable.touch(of: name)), subjects: [])
            logged[name] = try await house.log().count > before
        }
        let found = try await waiting { [logged] () -> Result<[String], any Error> in
            Result {
                try OperationTable.names.map { name in
                    let touch = try #require(OperationTable.touch(of: name))
                    // Arguments that cannot be read count as those that ask for the most.
                    let call = VaultCall(operation: name, arguments: [], secrets: [])
                    let words = try Self.requesters.map { requester in
                        let acts = try house.gate.acts(
                            of: call,
                            touch,
                            about: OperationTable.subjects(of: call),
                            by: requester
                        )
                        guard acts.isEmpty else {
                            return acts.map { Self.word($0, requester) }.max { $0.count < $1.count } ?? ""
                        }
                        return touch == .change || touch == .trust ? "log" : "free"
                    }
                    let inProcess = logged[name] == true ? "log" : "free"
                    return ([name] + words + [inProcess]).joined(separator: " ")
                }
            }
        }.get()
        let wanted = Self.operations.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        let (new, gone) = (Set(found).subtracting(wanted).sorted(), Set(wanted).subtracting(found).sorted())
        #expect(new == gone)
        #expect(wanted.count == found.count)
    }

    @Test func `every signature has the verdict that is written here, whoever asks`() {
        func key(confirmed: Bool = false) -> KeyFacts {
            KeyFacts(name: "k", fingerprint: "SHA256:k", needsConfirmation: confirmed, namespaces: ["git"])
        }
        func login(_ standing: HostFacts.Standing) -> Purpose {
            .login(user: "me", host: HostFacts(names: ["h"], fingerprint: "SHA256:h", standing: standing))
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

    @Test func `what is asked about is asked in words of its own`() {
        let requester = Self.requesters[2]
        for name in OperationTable.names {
            let act = Act.read(kind: name, name: "")
            let title = QuestionText.confirm(act, by: requester).title
            guard OperationTable.touch(of: name) != .reveal else { continue }
            guard OperationTable.countsAsRead(VaultCall(operation: name, arguments: [], secrets: [])) else {
                continue
            }
            #expect(!title.contains(" to have "), "\(name): \(title)")
        }
        let history = QuestionText.confirm(.read(kind: "text-history", name: ""), by: requester).title
        #expect(history.hasSuffix("to have the history of texts under typed keys?"))
    }
}
