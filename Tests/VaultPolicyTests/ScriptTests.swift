import Testing
import VaultPolicy

/// What the command line of an interpreter says that it runs, and what a yes to that covers.
struct ScriptTests {
    @Test(
        arguments: [
            ("python3", ["python3", "/x/mail.py", "-c", "x"], "/x/mail.py", true),
            ("python3.12", ["python3", "-I", "-sP", "mail.py"], "mail.py", true),
            ("python3", ["python3", "-W", "ignore", "mail.py"], "mail.py", false),
            ("python3", ["python3", "-Wignore", "mail.py"], "mail.py", false),
            ("python3", ["python3", "-i", "mail.py"], "mail.py", false),
            ("perl", ["perl", "-w", "mail.pl"], "mail.pl", true),
            ("perl5.36", ["perl", "-I/x", "mail.pl"], "mail.pl", false),
            ("ruby", ["ruby", "-r", "json", "mail.rb"], "mail.rb", false),
            ("node", ["node", "-r", "x", "mail.js"], "mail.js", false),
            ("bash", ["/bin/bash", "-e", "./mail.sh"], "./mail.sh", true),
            ("bash", ["bash", "-euo", "pipefail", "mail.sh"], "mail.sh", false),
            ("dash", ["sh", "-o", "nounset", "mail.sh"], "mail.sh", false),
        ]
    )
    func `a script is the first word that is no option`(
        program: String,
        words: [String],
        path: String,
        isPlain: Bool
    ) throws {
        let found = try #require(ScriptArguments(of: program, words))
        #expect(found.kind == .file && found.text == path && found.isPlain == isPlain)
    }

    @Test(
        arguments: [
            ("python3", ["python3", "-c", "import x", "/x/mail.py"]), ("python3", ["python3", "-Ic", "x"]),
            ("python3", ["python3", "-", "/x/mail.py"]), ("bash", ["bash", "-lc", "x", "/x/mail.sh"]),
            ("bash", ["bash", "-s", "/x/mail.sh"]), ("perl", ["perl", "-ne", "x", "/x/mail.pl"]),
            ("ruby", ["ruby", "-e", "x"]), ("node", ["node", "-p", "x"]), ("php", ["php", "-r", "x"]),
        ]
    )
    func `commands in the command line are no script, whatever follows them`(
        program: String,
        words: [String]
    ) throws {
        #expect(try #require(ScriptArguments(of: program, words)).kind == .commands)
    }

    @Test func `a module has a name, and other programs and an empty command line say nothing`() throws {
        for words in [["python3", "-m", "mail"], ["python3", "-mmail"], ["python3", "-I", "-m", "mail"]] {
            let found = try #require(ScriptArguments(of: "python3", words))
            #expect(found.kind == .module && found.text == "mail")
        }
        for program in ["git", "secret-tool", "busctl", "pythonx", "java"] {
            #expect(ScriptArguments(of: program, [program, "/x/mail.py"]) == nil)
        }
        for words in [["python3"], ["python3", "-i"], [], ["mail: worker 1", "", ""]] {
            #expect(ScriptArguments(of: "python3", words) == nil)
        }
        #expect(ScriptArguments(of: "python3", ["python3", "-Bm", "mail"])?.text == "mail")
    }

    @Test(
        arguments: [
            ("bash", ["bash", "--rcfile", "/x/rc", "mail.sh"]), ("bash", ["bash", "+x", "mail.sh"]),
            ("bash", ["bash", "-oe", "pipefail", "mail.sh"]), ("bash", ["bash", "-k", "mail.sh"]),
            ("bash", ["bash", "--", "mail.sh"]), ("fish", ["fish", "-C", "x", "mail.fish"]),
            ("python3", ["python3", "--check-hash-based-pycs", "always", "mail.py"]),
            ("python3", ["python3", "-z", "x", "mail.py"]), ("deno", ["deno", "run", "mail.ts"]),
            ("node", ["node", "inspect", "mail.js"]), ("node", ["node", "--require", "x", "mail.js"]),
            ("pwsh", ["pwsh", "-Command", "x"]), ("php", ["php", "-f", "mail.php"]),
        ]
    )
    func `behind an option that is not known nothing is a script`(program: String, words: [String]) {
        #expect(ScriptArguments(of: program, words) == nil)
    }

    @Test func `two spellings of a name are two scripts`() {
        let composed = ScriptClaim(.file, "/x/caf\u{E9}.py")
        let decomposed = ScriptClaim(.file, "/x/cafe\u{301}.py")
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        #expect(composed == ScriptClaim(.file, "/x/caf\u{E9}.py"))
    }

    @Test func `an identity of a script tells its tool, and one of a program has none`() throws {
        let parts = try #require(ProgramIdentity("/usr/bin/python3 /x/a /b.py")?.toolAndScript)
        #expect(parts == ("/usr/bin/python3", "/x/a /b.py"))
        for text in ["/opt/My App/app", "flatpak:org.x /y", "/usr/bin/python3 mail.py", "/x "] {
            let program = try #require(ProgramIdentity(text))
            #expect(program.toolAndScript == nil)
        }
    }

    @Test func `only a script that root alone can change is an identity`() throws {
        let python = try #require(ProgramIdentity("/usr/bin/python3.11"))
        let script = ScriptClaim(.file, "/usr/share/x/mail.py", isOfSystem: true)
        #expect(script.identity(with: python)?.text == "/usr/bin/python3.11 /usr/share/x/mail.py")
        #expect(ScriptClaim(.file, "/usr/share/x/mail.py").identity(with: python) == nil)
        for kind in [ScriptClaim.Kind.module, .commands] {
            #expect(ScriptClaim(kind, "mail", isOfSystem: true).identity(with: python) == nil)
        }
        let long = ScriptClaim(.file, "/" + String(repeating: "x", count: 255), isOfSystem: true)
        #expect(long.identity(with: python) == nil)
    }

    private static func python(_ script: ScriptClaim?, start: UInt64 = 100) -> Requester {
        var requester = Case.bus("/usr/bin/python3.11", start: start)
        requester.script = script
        return requester
    }

    @Test func `a yes for a script covers its path in other processes, and no other script`() throws {
        let (mine, other) = (ScriptClaim(.file, "/home/x/mail.py"), ScriptClaim(.file, "/home/x/other.py"))
        let act = Act.item(operation: "item.get", Case.facts(.others))
        var policy = Policy(owner: Case.owner)
        let approval = try #require(Approval(act, by: Self.python(mine), forScript: true))
        policy.remembered.remember(approval, for: 60, at: 0)
        #expect(
            policy.verdict(on: act, by: Self.python(mine, start: 200), time: 0, moment: 1)
                == .allow(.remembered)
        )
        let starter = ScriptClaim(.file, "/home/x/mail.py", starter: "bash")
        let strangers = [
            other, starter, ScriptClaim(.commands), ScriptClaim(.module, "/home/x/mail.py"), nil,
        ]
        for script in strangers {
            #expect(
                policy.verdict(on: act, by: Self.python(script), time: 0, moment: 1)
                    == .ask(.row(.otherItem), mayRemember: true)
            )
        }
        let change = Act.itemChange(operation: "item.set", Case.facts(.others))
        #expect(
            policy.verdict(on: change, by: Self.python(mine), time: 0, moment: 1)
                == .ask(.row(.otherItem), mayRemember: true)
        )
        #expect(
            policy.verdict(on: act, by: Self.python(mine), time: 0, moment: 60)
                == .ask(.row(.otherItem), mayRemember: true)
        )
    }

    @Test func `without a file there is no yes for a script`() throws {
        let act = Act.item(operation: "item.get", Case.facts(.others))
        for script in [ScriptClaim(.commands), ScriptClaim(.module, "mail"), nil] {
            #expect(Approval(act, by: Self.python(script), forScript: true) == nil)
        }
    }

    @Test func `on a socket a yes to an interpreter covers the script that the question named`() throws {
        var first = Requester(uid: Case.owner, program: .other(path: "/usr/bin/python3"))
        first.script = ScriptClaim(.file, "/home/x/mail.py")
        var second = first
        second.script = ScriptClaim(.file, "/home/x/other.py")
        var policy = Policy(owner: Case.owner)
        policy.remembered.remember(try #require(Approval(Case.secret, by: first)), for: 60, at: 0)
        #expect(policy.verdict(on: Case.secret, by: first, time: 0, moment: 1) == .allow(.remembered))
        #expect(
            policy.verdict(on: Case.secret, by: second, time: 0, moment: 1)
                == .ask(.row(.otherRead), mayRemember: true)
        )
    }
}
