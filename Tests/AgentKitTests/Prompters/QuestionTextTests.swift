import SSHFormats
import Secrets
import Testing
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

struct QuestionTextTests {
    private let key = KeyFacts(
        name: "work",
        fingerprint: "SHA256:abc",
        needsConfirmation: true,
        namespaces: nil
    )
    private let host = HostFacts(
        names: ["db1.example.org"],
        fingerprint: "SHA256:def",
        status: .known,
        knownSince: 1_772_409_600
    )
    private let ssh = Requester(
        uid: 1_000,
        pid: 4_711,
        program: .other(path: "/usr/bin/ssh"),
        chain: ["ssh", "git", "code"]
    )

    /// Without the invisible marks that keep a name's direction to itself.
    private func plain(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "\u{2068}" && $0 != "\u{2069}" })
    }

    private func lines(_ question: ConfirmQuestion) -> [String] {
        ([question.title] + question.lines).map { plain($0) }
    }

    /// What is asked about a call by another program; its uses of secrets are allowed without.
    private func asked(
        _ operation: String,
        _ names: [String] = [],
        by requester: Requester? = nil,
        guarded: [String] = []
    ) throws -> [ConfirmQuestion] {
        let request = try #require(OperationRequest.sample(operation, names)).policy
        let acts = request.acts(by: ssh, owner: ssh.uid) { guarded }.filter { $0.kind != .use }
        return QuestionText.confirm(acts, of: request, by: requester ?? ssh, remember: 600)
    }

    @Test func `a login names the programs, the user, the server and since when it is known`() {
        let act = Act.sign(key, .login(user: "deploy", host: host), .direct)
        #expect(
            lines(QuestionText.confirm(act, by: ssh, remember: 600)) == [
                "Let “ssh” log in as “deploy” on db1.example.org with the key “work”?",
                "Program: ssh ← git ← code (/usr/bin/ssh), process 4711",
                "Server: db1.example.org, known since 2026-03-02",
                "Server key: SHA256:def",
                "Key: SHA256:abc",
            ]
        )
    }

    @Test func `a script is the claim of its interpreter, in quotes and cut`() {
        let act = Act.sign(key, .raw, .direct)
        let long = "/home/x/" + String(repeating: "y", count: 4_000) + "/mail.py"
        let claims = [
            (ScriptClaim(.file, "/home/x/mail.py"), "Script: says it runs “/home/x/mail.py”"),
            (
                ScriptClaim(.file, "/home/x/mail.sh", starter: "bash"),
                "Script: “bash” started it, and says it runs “/home/x/mail.sh”"
            ),
            (ScriptClaim(.module, "mail"), "Script: says it runs the module “mail”"),
            (ScriptClaim(.commands), "Script: says it runs commands, and no file"),
        ]
        for (claim, line) in claims {
            var requester = ssh
            requester.script = claim
            #expect(lines(QuestionText.confirm(act, by: requester))[2] == line)
        }
        for path in [long, "/a\nProgram: git\u{1B}[2J\u{202E}”", "/\(String(repeating: "数", count: 300))"] {
            var requester = ssh
            requester.script = ScriptClaim(.file, path)
            let found = QuestionText.confirm(act, by: requester).lines[1]
            #expect(found.count <= 120 && found.hasPrefix("Script: says it runs “") && found.hasSuffix("”"))
            #expect(found.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        }
    }

    @Test func `a yes from now on says for whom: the program, everything that uses it, or a script`() throws {
        let act = Act.item(
            operation: "item.get",
            ItemFacts(id: "0123", label: "mail", owner: nil, relation: .nobodys)
        )
        func asks(_ path: String) -> Requester {
            Requester(uid: 1_000, pid: 7, bus: BusProgram(identity: ProgramIdentity(path)))
        }
        let cases = [
            (
                QuestionText.always([act], by: asks("/usr/bin/mutt"), isScript: false),
                "“mutt” may read, change and delete “mail”"
            ),
            (
                QuestionText.always([act], by: asks("/usr/bin/python3"), isScript: false),
                "every program that uses “python3” may read, change and delete “mail”"
            ),
            (
                QuestionText.always([act, act], by: asks("/usr/bin/python3"), isScript: true),
                "every run of this script by “python3” may read, change and delete these 2 items"
            ),
        ]
        for (longer, text) in cases {
            guard case .always(let found) = longer else {
                Issue.record("\(longer)")
                continue
            }
            #expect(plain(found) == text)
        }
        let session = QuestionText.session([act], by: asks("/usr/bin/python3"))
        #expect(plain(session.meaning).hasPrefix("if every “python3” that says it runs this script may"))
        var started = asks("/usr/bin/secret-tool")
        started.script = ScriptClaim(.file, "/x/mail.sh", starter: "sh")
        let tool = plain(QuestionText.session([act], by: started).meaning)
        #expect(tool.hasPrefix("if every “secret-tool” started by a “sh” that says it runs this script may"))
        #expect(plain(session.meaning).hasSuffix("may read “mail” without asking until the vault locks"))
    }

    @Test(arguments: ["s", "прод/сервис/пароль/длинный", "数据库/密码/很长很长的名字"])
    func `a question about items with its answers fits into a window`(name: String) throws {
        let acts = (0..<64).map { number in
            let facts = ItemFacts(id: "\(number)", label: "\(name)-\(number)", owner: nil, relation: .nobodys)
            return Act.item(operation: "item.get", facts)
        }
        var requester = Requester(
            uid: 1_000,
            pid: 1_234_567,
            bus: BusProgram(identity: ProgramIdentity("/usr/bin/python3.11")),
            chain: ["python3.11", "bash", "tmux: server", "systemd", "systemd", "systemd"]
        )
        requester.script = ScriptClaim(.file, "/" + String(repeating: "x", count: 300), starter: "bash")
        for isScript in [false, true] {
            let longer = QuestionText.always(acts, by: requester, isScript: isScript)
            for longer in [longer, QuestionText.session(acts, by: requester)] {
                for question in QuestionText.items(acts, by: requester, longer: longer) {
                    let text = ([question.title] + question.lines + question.howToAllow).joined(
                        separator: "\n"
                    )
                    #expect(try AssuanSession.escaped(text).count <= AssuanSession.longestLine)
                }
            }
        }
    }

    @Test func `a request from another machine says so`() {
        let act = Act.sign(key, .login(user: "deploy", host: host), .forwarded(through: ["bastion"]))
        #expect(
            lines(QuestionText.confirm(act, by: ssh)).contains(
                "Way: asked from another machine, through bastion"
            )
        )
    }

    @Test(
        arguments: [
            (Purpose.raw, "Let “ssh” sign unknown data with the key “work”?"),
            (.certificate, "Let “ssh” sign a certificate with the key “work”?"),
            (.file(namespace: "git"), "Let “ssh” sign with the key “work”?"),
            (.login(user: "root", host: nil), "Let “ssh” log in as “root” with the key “work”?"),
        ]
    )
    func `each kind of signature has its words`(purpose: Purpose, title: String) {
        #expect(lines(QuestionText.confirm(.sign(key, purpose, .direct), by: ssh)).first == title)
    }

    @Test func `an unknown program is called that, whatever names it goes by`() throws {
        let requester = Requester(uid: 1_000, program: .unknown, chain: ["hsip"])
        let question = try asked("ssh-key.private", ["work"], by: requester).flatMap { lines($0) }
        #expect(question[0] == "Let an unknown program read the private key “work”?")
        #expect(question[1] == "Program: hsip (unknown program)")
    }

    @Test(
        arguments: [
            "evil”?\nProgram: git", "\u{1B}[2Jx", "\u{202E}txt", String(repeating: "long", count: 10_000),
        ]
    )
    func `no name makes a line of its own, hides, or fills the screen`(name: String) {
        let key = KeyFacts(name: name, fingerprint: name, needsConfirmation: true, namespaces: nil)
        let host = HostFacts(names: Array(repeating: name, count: 9), fingerprint: name, status: .unknown)
        let requester = Requester(
            uid: 1,
            program: .other(path: "/" + name),
            chain: Array(repeating: name, count: 40)
        )
        let act = Act.sign(
            key,
            .login(user: name, host: host),
            .forwarded(through: [name, name, name, name])
        )
        let question = QuestionText.confirm(act, by: requester)
        let text = ([question.title] + question.lines).joined(separator: "\n")
        #expect(text.split(separator: "\n").count == 6)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" || $0 == "\n" })
        #expect(text.count < 1_200)
    }

    private static let keyLine =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJf6DoYf4CuKfxZ3yT2eAhpVqk0pZPTDx3TTyXhE2XpR"

    /// Calls that change trust, and a line that the question about each has to show.
    private static func changes() throws -> [(OperationRequest, String)] {
        let key = try PublicKey(line: Array(keyLine.utf8))
        let print = "ED25519 \(key.fingerprint)"
        let (name, old) = (try HostName(lookup: "prod.t"), key.fingerprint)
        var (host, use, named) = (HostChange(), KeyChange(), KeyChange())
        (host.user, host.port) = ("root", 2_222)
        (use.needsConfirmation, use.hosts) = (false, [])
        named.namespaces = ["git"]
        let fields = HostProfile.Fields(label: "", host: "evil.t", user: "root", authentication: "key")
        let file = KnownHostsFile(Array("good.t \(keyLine)\n@cert-authority * \(keyLine)\n".utf8))
        var bundle = VaultBundle()
        (bundle.hosts, bundle.knownHosts) = ([NewHost(name: "prod", fields: fields)], file.bytes)
        return [
            (Operations.setSSHHost.request("prod", host), "User: root"),
            (Operations.setSSHHost.request("prod", host), "Port: 2222"),
            (
                Operations.addSSHHosts.request([NewHost(name: "p", fields: fields)]),
                "p: root at evil.t, port 22"
            ),
            (Operations.setSSHKey.request("k", use), "No question before each use"),
            (Operations.setSSHKey.request("k", use), "For every host"),
            (Operations.setSSHKey.request("k", named), "For files and commits of kind: git"),
            (Operations.trustHostKeys.request([key], name, .compared, true), "Key: \(print)"),
            (Operations.replaceHostKey.request(name, key, old, nil, .compared), "Key: \(print)"),
            (
                Operations.replaceHostKey.request(name, key, old, nil, .compared),
                "Replaces: every known key of the host"
            ),
            (Operations.revokeHostKey.request(key, nil), "Never taken again for any host: \(print)"),
            (Operations.removeHostKeys.request(name, nil), "Forgotten: every key of the host"),
            (Operations.importKnownHosts.request(file, .leave), "good.t: \(print)"),
            (Operations.importKnownHosts.request(file, .leave), "Authority for *: \(print)"),
            (
                Operations.importKnownHosts.request(file, .replace),
                "If a host has another known key, hsip no longer trusts that key"
            ),
            (Operations.takeBundle.request(bundle, CredentialImportRules()), "Authority for *: \(print)"),
            (Operations.takeBundle.request(bundle, CredentialImportRules()), "prod: root at evil.t, port 22"),
        ]
    }

    @Test func `a question about a change of trust shows what changes`() throws {
        for (request, line) in try Self.changes() {
            let acts = request.policy.acts(by: ssh, owner: ssh.uid) { [] }
            let questions = QuestionText.confirm(acts, of: request.policy, by: ssh)
            #expect(questions.count == 1)
            #expect(questions.contains { lines($0).contains(line) }, "\(line): \(questions)")
        }
    }

    @Test(arguments: [(1, 1), (4, 1), (40, 8), (100, 20), (200, 0), (100_000, 0)])
    func `a long file of host keys is several questions with every line, or none`(count: Int, most: Int)
        throws
    {
        let lines = (0..<count).map { "host-\($0).example \(Self.keyLine)" }
        let file = KnownHostsFile(Array((lines.joined(separator: "\n") + "\n").utf8))
        let request = Operations.importKnownHosts.request(file, .leave)
        let acts = request.policy.acts(by: ssh, owner: ssh.uid) { [] }
        let questions = QuestionText.confirm(acts, of: request.policy, by: ssh)
        #expect(questions.count <= most && questions.isEmpty == (most == 0))
        let shown = questions.flatMap { self.lines($0) }
        if most > 0 {
            for number in 0..<count { #expect(shown.contains { $0.hasPrefix("host-\(number).example: ") }) }
        }
        #expect(questions.allSatisfy { ([$0.title] + $0.lines).joined(separator: "%0A").utf8.count < 920 })
    }

    @Test func `several secrets are one question that shows every name`() throws {
        let questions = try asked("secret.resolve", ["db/prod", "evil”?", "ci"])
        #expect(questions.count == 1 && questions.allSatisfy { $0.remember == 600 })
        #expect(
            questions.flatMap { lines($0) } == [
                "Let “ssh” read 3 secrets?",
                "Program: ssh ← git ← code (/usr/bin/ssh), process 4711",
                "Secrets: “db/prod”, “evil⟦U+201D⟧?”, “ci”",
            ]
        )
        let one = try asked("secret.resolve", ["ci"]).map { lines($0)[0] }
        #expect(one == ["Let “ssh” read the secret “ci”?"])
    }

    @Test(arguments: [
        "s", "prod/service/password", "прод/сервис/пароль/длинный", "数据库/密码/很长很长的名字", "e\u{301}e\u{301}",
    ])
    func `more secrets than a window shows are several questions, each of them whole`(name: String) throws {
        let names = (0..<256).map { "\(name)-\($0)" }
        let questions = try asked("secret.resolve", names)
        #expect(questions.count > 1)
        for question in questions {
            let text = ([question.title] + question.lines).joined(separator: "\n")
            #expect(try AssuanSession.escaped(text).count <= AssuanSession.longestLine)
        }
        let all = questions.flatMap { lines($0) }.filter { $0.hasPrefix("Secrets") }
        let shown = all.flatMap { $0.split(separator: ": ")[1].split(separator: ", ") }
        #expect(shown.map { String($0) } == names.map { "“\($0)”" })
        #expect(all.first?.hasPrefix("Secrets 1 to ") == true && all.last?.contains(" to 256: ") == true)
        #expect(lines(questions[0])[0].hasSuffix(" of 256 secrets?"))
    }

    @Test(
        arguments: [
            ("secret.get", "read the secret “x”"), ("ssh-key.private", "read the private key “x”"),
            ("session.export", "export the session with “x”"), ("rule.remove", "remove the rule “x”"),
            ("secret.remove", "find out whether it knows the secret “x”"),
            ("secret.import-trial", "find out which secrets of the vault it knows"),
            ("secret.check", "find out which passwords of the vault are weak or reused"),
            ("host-keys.trust", "change the trusted keys of the host “x”"),
            ("contact.verified", "change the trust in “x”"),
            ("code.accept", "accept a code for “x”"),
            ("vault.import", "add secrets, keys and hosts to the vault"),
            ("ssh-key.set", "change the conditions of the key “x”"),
        ]
    )
    func `a question says what is wanted, not only that something is read`(operation: String, words: String)
        throws
    {
        let questions = try asked(operation, ["x"]).map { lines($0)[0] }
        #expect(questions == ["Let “ssh” \(words)?"])
    }

    @Test(
        arguments: [
            ("host-keys.import", "change the trusted keys of hosts"),
            ("ssh-host.add", "change the addresses of hosts"), ("code.accept", "accept a code"),
        ]
    )
    func `a question about what has no name of its own quotes nothing`(operation: String, words: String)
        throws
    {
        let questions = try asked(operation).map { lines($0)[0] }
        #expect(questions == ["Let “ssh” \(words)?"])
    }

    @Test func `a question about two names says which is which`() throws {
        let questions = try asked("secret.move", ["prod", "%1"]).map { lines($0)[0] }
        #expect(questions == ["Let “ssh” rename the secret “prod” to “%1”?"])
    }

    @Test func `what is about all secrets is one question that names those with a rule`() throws {
        let questions = try asked("vault.import", guarded: ["prod", "ci/*"])
        #expect(
            questions.flatMap { lines($0) } == [
                "Let “ssh” add secrets, keys and hosts to the vault?",
                "Program: ssh ← git ← code (/usr/bin/ssh), process 4711",
                "Also these secrets, which have a rule of their own: “prod”, “ci/*”",
            ]
        )
    }

    @Test func `changes of several things are one question that names them all`() throws {
        let questions = try asked("ssh-host.add", ["db1", "db2", "db3"])
        #expect(
            questions.flatMap { lines($0) } == [
                "Let “ssh” change the address of the host “db1”?",
                "Program: ssh ← git ← code (/usr/bin/ssh), process 4711",
                "The same for: “db2”, “db3”",
            ]
        )
    }

    @Test func `the question for the vault says who waits for it`() {
        #expect(
            QuestionText.waiting(for: ssh).map { plain($0) } == [
                "“ssh” wants to use the vault. Enter its passphrase.",
                "Program: ssh ← git ← code (/usr/bin/ssh), process 4711",
            ]
        )
    }
}
