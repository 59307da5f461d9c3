import System
import Testing
import VaultCrypto

@testable import AgentKit

struct AskpassTests {
    private static let place = PromptPlace(own: Environment(["DISPLAY": ":7", "PATH": "/usr/bin:/bin"]))

    @Test(
        arguments: [
            ("exit 0", Said.deny), ("echo", .deny), ("echo yes", .once), ("echo YES", .once),
            ("echo no", .deny), ("exit 1", .deny), ("echo yes; exit 1", .deny), ("kill -9 $$", .deny),
            ("echo yes; echo no", .deny), ("echo longer", .remember(seconds: 600)), ("echo l", .deny),
            ("echo longer; exit 1", .deny),
        ]
    )
    func `only a clear yes is a yes`(script: String, answer: Said) async throws {
        let scripts = try Scripts()
        let path = try await scripts.add("askpass", script)
        let cancellation = try Cancellation()
        let said = try await onThread {
            try AskpassPrompter(place: Self.place, program: path).confirm(
                ConfirmQuestion(title: "Allow it?", longer: .seconds(600)),
                cancellation
            )
        }
        #expect(said == answer)
    }

    @Test func `it is told that a word is wanted, and the whole question`() async throws {
        let scripts = try Scripts()
        let path = try await scripts.add("askpass", "echo \"$SSH_ASKPASS_PROMPT|$#|$1\" > $DIR/told")
        let cancellation = try Cancellation()
        _ = try await onThread {
            try AskpassPrompter(place: Self.place, program: path).confirm(
                ConfirmQuestion(title: "Allow it?", lines: ["Program: ssh"]),
                cancellation
            )
        }
        let question = "Allow it?\nProgram: ssh\nType yes to allow it. Enter alone refuses."
        #expect(scripts.text("told") == "|1|\(question)\n")
    }

    @Test(arguments: [["SSH_ASKPASS": "/nonexistent", "DISPLAY": ":7"], ["SSH_ASKPASS": "/bin/true"]])
    func `without a program or a display no one is asked`(variables: [String: String]) async throws {
        let place = PromptPlace(own: Environment(variables))
        let cancellation = try Cancellation()
        await #expect(throws: PromptError.nobody) {
            try await onThread {
                _ = try AskpassPrompter(place: place).confirm(
                    ConfirmQuestion(title: "Allow it?"),
                    cancellation
                )
            }
        }
    }
}

struct SystemdPrompterTests {
    private static func passphrase(_ scripts: Scripts, _ script: String) async throws -> [UInt8] {
        _ = try await scripts.add("systemd-ask-password", script)
        let place = PromptPlace(own: Environment(["PATH": "\(scripts.folder):/usr/bin:/bin"]))
        let cancellation = try Cancellation()
        return try await onThread {
            try SystemdPrompter(place: place).passphrase(
                PassphraseQuestion(
                    title: "Passphrase of the vault",
                    lines: ["It is locked.", "Program: ssh"]
                ),
                cancellation
            ).withBytes { $0.copied() }
        }
    }

    @Test func `the first line is the passphrase`() async throws {
        let scripts = try Scripts()
        let script = "for last; do :; done; echo \"$last\" > $DIR/told; printf 'brisk otter \\nmore\\n'"
        #expect(try await Self.passphrase(scripts, script) == Array("brisk otter ".utf8))
        #expect(scripts.text("told") == "Passphrase of the vault (It is locked; Program: ssh):\n")
    }

    @Test(
        arguments: [
            ("exit 62", PromptError.timedOut(seconds: 120)), ("echo x; exit 1", .nobody), ("echo", .empty),
            ("head -c 100000 /dev/zero", .tooLong),
        ]
    )
    func `whatever else it does is no passphrase`(script: String, error: PromptError) async throws {
        let scripts = try Scripts()
        await #expect(throws: error) { try await Self.passphrase(scripts, script) }
    }
}

struct PrompterChainTests {
    /// Says what it is told to say.
    private struct Fixed: Prompter {
        let answer: Result<Said, PromptError>

        func passphrase(_: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
            throw .nobody
        }

        func confirm(_: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said {
            try answer.get()
        }
    }

    private func ask(_ answers: [Result<Said, PromptError>]) throws(PromptError) -> Said {
        let cancellation: Cancellation
        do throws(SystemError) { cancellation = try Cancellation() } catch { throw .noResources }
        return try PrompterChain(answers.map { Fixed(answer: $0) }).confirm(
            ConfirmQuestion(title: "Allow it?"),
            cancellation
        )
    }

    @Test(arguments: [PromptError.nobody, .malformed, .failed(status: 1), .tooLong])
    func `who reaches no one passes the question on`(error: PromptError) throws {
        #expect(try ask([.failure(error), .success(.once)]) == .once)
    }

    @Test(arguments: [PromptError.refused, .empty, .timedOut(seconds: 120), .cancelled])
    func `what the person said is not asked again`(error: PromptError) {
        #expect(throws: error) { try ask([.failure(error), .success(.once)]) }
    }

    @Test func `a no is an answer`() throws {
        #expect(try ask([.success(.deny), .success(.once)]) == .deny)
    }

    @Test func `without anybody there is no one, and a failure is told`() {
        #expect(throws: PromptError.nobody) { try ask([]) }
        #expect(throws: PromptError.malformed) { try ask([.failure(.malformed), .failure(.nobody)]) }
    }
}
