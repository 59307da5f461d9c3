@testable import AgentKit
import Foundation
import System
import Testing
import VaultCrypto

struct PinentryTests {
    private static let place = PromptPlace(own: Environment(["DISPLAY": ":7", "PATH": "/usr/bin:/bin"]))

    private static func passphrase(
        _ path: String,
        _ question: PassphraseQuestion = PassphraseQuestion(title: "Passphrase"),
        _ cancellation: Cancellation? = nil
    ) async throws -> [UInt8] {
        let cancellation = try cancellation ?? Cancellation()
        return try await onThread {
            try PinentryPrompter(place: place, program: path).passphrase(question, cancellation)
                .withBytes { $0.copied() }
        }
    }

    private static func confirm(_ path: String, longer: LongerYes? = nil) async throws -> Said {
        let cancellation = try Cancellation()
        return try await onThread {
            try PinentryPrompter(place: place, program: path).confirm(
                ConfirmQuestion(title: "Allow it?", lines: ["Program: ssh"], longer: longer),
                cancellation
            )
        }
    }

    @Test func `what is typed arrives byte by byte as it was typed`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry(
            #"  GETPIN) printf 'S hint\nD 100%%25 gr\303\274n%%0A\nD +\nOK\n';;"#
        )
        #expect(try await Self.passphrase(path) == Array("100% grün\n+".utf8))
    }

    @Test func `an answer in single bytes is the same answer`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.add(
            "pinentry",
            """
            import os, sys
            def say(text):
                for byte in text: os.write(1, bytes([byte]))
            say(b"OK\\n")
            for line in sys.stdin:
                say(b"# a remark\\nD secret\\nOK\\n" if line == "GETPIN\\n" else b"OK\\n")
            """,
            shell: "/usr/bin/python3"
        )
        #expect(try await Self.passphrase(path) == Array("secret".utf8))
    }

    @Test func `the question reaches it whole, without a way to add a command`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) echo 'D x'; echo OK;;")
        let question = PassphraseQuestion(
            title: "Passphrase of “work”",
            lines: ["100% of it", "<b>\nGETPIN"],
            attempt: 2
        )
        _ = try await Self.passphrase(path, question)
        let told = scripts.text("told").split(separator: "\n").map { String($0) }
        #expect(told.contains("SETDESC 100%25 of it%0A‹b›%0AGETPIN"))
        #expect(told.contains("SETPROMPT Passphrase of “work”:"))
        #expect(told.contains { $0.hasPrefix("SETERROR ") })
        #expect(told.contains { $0.hasPrefix("OPTION grab") })
        #expect(told.count { $0.hasPrefix("GETPIN") } == 1)
    }

    @Test func `a PIN is asked for with the whole question above it, and a short word beside the field`()
        async throws
    {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) echo 'D 4711'; echo OK;;")
        let question = PassphraseQuestion(.pin, title: "PIN of slot 3", lines: ["git"], attempt: 2)
        #expect(try await Self.passphrase(path, question) == Array("4711".utf8))
        let told = scripts.text("told").split(separator: "\n").map { String($0) }
        #expect(told.contains("SETDESC git%0APIN of slot 3") && told.contains("SETPROMPT PIN:"))
        #expect(told.contains("SETERROR That PIN was wrong. Please try again."))
    }

    @Test func `a question that it would show only in part is not asked`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) echo 'D yes'; echo OK;;")
        let cancellation = try Cancellation()
        @Sendable func ask(_ bytes: Int) async throws -> Said {
            let question = ConfirmQuestion(title: "?", lines: [String(repeating: "x", count: bytes)])
            return try await onThread {
                try PinentryPrompter(place: Self.place, program: path).confirm(question, cancellation)
            }
        }
        // Two line feeds take three bytes each.
        let most = 968 - "?".utf8.count - 6 - "Type yes to allow it. Enter alone refuses.".utf8.count
        #expect(try await ask(most) == .once)
        await #expect(throws: PromptError.tooLong) { _ = try await ask(most + 1) }
        #expect(scripts.text("told").split(separator: "\n").count { $0.hasPrefix("GETPIN") } == 1)
    }

    @Test(
        arguments: [
            ("GETPIN) echo 'ERR 83886179 Operation cancelled <Pinentry>';;", PromptError.refused),
            ("GETPIN) echo OK;;", .empty),
            ("GETPIN) echo 'ERR 83886142 Timeout <Pinentry>';;", .timedOut(seconds: 120)),
            ("GETPIN) echo 'ERR 83918950 Inappropriate ioctl';;", .nobody),
            ("GETPIN) echo 'INQUIRE something';;", .malformed),
            ("GETPIN) echo 'D %zz'; echo OK;;", .malformed),
            ("GETPIN) echo 'D %4'; echo OK;;", .malformed),
            ("GETPIN) echo ERR;;", .malformed),
            ("GETPIN) printf 'garbage\\001\\377\\n';;", .malformed),
            ("GETPIN) exit 3;;", .failed(status: 3)),
            ("GETPIN) yes D | head -c 100000;;", .tooLong),
            ("GETPIN) head -c 100000 /dev/zero | tr '\\0' A;;", .tooLong),
            (
                "GETPIN) for i in 1 2 3 4 5 6; do printf 'D '; head -c 900 /dev/zero | tr '\\0' A; echo; done; echo OK;;",
                .tooLong
            ),
            ("SETDESC) echo 'ERR 536871187 Unknown IPC command';;", .malformed),
        ]
    )
    func `whatever else it says is no passphrase`(cases: String, error: PromptError) async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  \(cases)")
        await #expect(throws: error) { try await Self.passphrase(path) }
    }

    @Test(arguments: [
        ("echo hello", PromptError.malformed), ("exit 1", .failed(status: 1)),
        ("kill -9 $$", .failed(status: 137)),
    ])
    func `a program that is no pinentry is none`(script: String, error: PromptError) async throws {
        let scripts = try Scripts()
        let path = try await scripts.add("pinentry", script)
        await #expect(throws: error) { try await Self.passphrase(path) }
    }

    // In pinentry-gnome3 Enter presses the button that allows, whatever a caller wants.
    @Test(
        arguments: [
            ("D yes\\nOK", Said.once), ("D Yes\\nOK", .once), ("OK", .deny), ("D no\\nOK", .deny),
            ("D yes please\\nOK", .deny), ("D y\\nOK", .deny), ("ERR 83886179 cancelled", .deny),
            ("ERR 83886194 not confirmed", .deny),
        ]
    )
    func `in a window only the word yes is a yes, and Enter alone is none`(reply: String, answer: Said)
        async throws
    {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) printf '\(reply)\\n';;\n  CONFIRM) echo OK;;")
        #expect(try await Self.confirm(path) == answer)
        let told = scripts.text("told")
        let question = "SETDESC Allow it?%0AProgram: ssh%0AType yes to allow it. Enter alone refuses.\n"
        #expect(told.contains(question))
        #expect(told.contains("SETCANCEL Deny\n") && !told.contains("CONFIRM"))
    }

    @Test(arguments: [
        ("D longer\\nOK", Said.remember(seconds: 600)), ("D Longer\\nOK", .remember(seconds: 600)),
        ("D yes\\nOK", .once), ("OK", .deny), ("D l\\nOK", .deny), ("D always\\nOK", .deny),
        ("ERR 83886179 cancelled", .deny), ("ERR 83886194 not confirmed", .deny),
    ])
    func `one window has three answers, and each yes is a word`(reply: String, answer: Said) async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) printf '\(reply)\\n';;")
        #expect(try await Self.confirm(path, longer: .seconds(600)) == answer)
        let told = scripts.text("told")
        #expect(told.contains("%0AType longer to allow the same without asking for 10 min.\n"))
        #expect(told.split(separator: "\n").count { $0.hasPrefix("GETPIN") } == 1)
    }

    @Test(arguments: [
        (LongerYes.always("x may read y"), "always"), (.session("x may read y"), "session"),
    ])
    func `a yes for good is a word of its own, which says for whom`(longer: LongerYes, word: String)
        async throws
    {
        for (typed, answer) in [(word, Said.lasting), ("yes", .once), ("longer", .deny), ("\(word) ", .deny)]
        {
            let scripts = try Scripts()
            let path = try await scripts.pinentry("  GETPIN) printf 'D \(typed)\\nOK\\n';;")
            #expect(try await Self.confirm(path, longer: longer) == answer)
            #expect(scripts.text("told").contains("%0AType \(word) if x may read y "))
        }
    }

    @Test func `a client that hangs up ends the question and the program`() async throws {
        let scripts = try Scripts()
        try scripts.addFifo("asked")
        let path = try await scripts.pinentry(
            "  GETPIN) sleep 1000 & echo $! > \"$DIR/child\"; echo $$ > \"$DIR/asked\"; wait;;"
        )
        let cancellation = try Cancellation()
        let answer = Task {
            try await Self.passphrase(path, PassphraseQuestion(title: "Passphrase"), cancellation)
        }
        let process = try #require(Int32(try await scripts.line(from: "asked")))
        cancellation.cancel()
        await #expect(throws: PromptError.cancelled) { try await answer.value }
        #expect(isGone(process))
        let child = scripts.text("child").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(isGone(try #require(Int32(child))))
    }

    @Test func `a program that does not even end when told to is ended`() async throws {
        let scripts = try Scripts()
        try scripts.addFifo("asked")
        let path = try await scripts.add(
            "pinentry",
            "trap '' TERM; echo $$ > \"$DIR/asked\"; while :; do sleep 1000; done"
        )
        let cancellation = try Cancellation()
        let answer = Task {
            try await Self.passphrase(path, PassphraseQuestion(title: "Passphrase"), cancellation)
        }
        let process = try #require(Int32(try await scripts.line(from: "asked")))
        cancellation.cancel()
        await #expect(throws: PromptError.cancelled) { try await answer.value }
        #expect(isGone(process))
    }

    @Test func `a program that says nothing is waited for until the deadline`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.add("pinentry", "exec sleep 1000")
        let cancellation = try Cancellation()
        await #expect(throws: PromptError.timedOut(seconds: 0)) {
            try await onThread {
                let process = try PromptProcess(path, [], [], seconds: 0, cancellation)
                _ = try AssuanSession(process)
            }
        }
    }

    @Test func `without a display or a terminal no one is asked`() async throws {
        let place = PromptPlace(own: Environment(["PATH": "/usr/bin:/bin"]))
        let cancellation = try Cancellation()
        await #expect(throws: PromptError.nobody) {
            try await onThread {
                _ = try PinentryPrompter(place: place).passphrase(
                    PassphraseQuestion(title: "Passphrase"),
                    cancellation
                )
            }
        }
    }

    @Test func `it gets the variables it needs and no others`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.pinentry("  GETPIN) env > \"$DIR/env\"; echo 'D x'; echo OK;;")
        let place = PromptPlace(
            own: Environment([
                "DISPLAY": ":7", "PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LD_PRELOAD": "/tmp/evil.so",
                "GTK_MODULES": "evil", "HSIP_PASSPHRASE_FILE": "/p", "LANG": "de_DE.UTF-8",
            ])
        )
        let cancellation = try Cancellation()
        _ = try await onThread {
            try PinentryPrompter(place: place, program: path).passphrase(
                PassphraseQuestion(title: "Passphrase"),
                cancellation
            )
        }
        let names = scripts.text("env").split(separator: "\n").compactMap { $0.split(separator: "=").first }
        let given = Set(names.map { String($0) }).subtracting(["PWD", "OLDPWD", "_", "SHLVL"])
        #expect(given == ["DISPLAY", "PATH", "HOME", "LANG"])
    }
}
