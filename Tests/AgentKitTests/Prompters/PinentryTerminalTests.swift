import CLinux
import Glibc
import System
import Testing
import VaultCrypto

@testable import AgentKit

/// The real pinentry-tty, on a terminal whose keyboard and screen the test holds.
@Suite(.enabled(if: ChildProcess.find("pinentry-tty", in: .process) != nil))
struct PinentryTerminalTests {
    private final class Keyboard: Sendable {
        let device: String
        private let master: Int32

        init() throws {
            var name = [CChar](repeating: 0, count: 256)
            master = unsafe hsip_open_pty(&name, 256)
            try #require(master >= 0)
            device = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit { close(master) }

        /// Waits until a text is on the screen, then types; the screen until then.
        func type(_ keys: String, after text: String) throws -> Begun<String> {
            let master = master
            return try Begun {
                var seen: [UInt8] = []
                var chunk = [UInt8](repeating: 0, count: 4_096)
                while !String(decoding: seen, as: UTF8.self).contains(text) {
                    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
                    guard unsafe poll(&request, 1, 600_000) > 0 else { break }
                    let count = unsafe read(master, &chunk, chunk.count)
                    // No one has the other side open yet.
                    if count < 0 { _ = poll(nil, 0, 5) }
                    seen += chunk.prefix(max(0, count))
                }
                try Descriptor(master).write(keys)
                return String(decoding: seen, as: UTF8.self)
            }
        }
    }

    private let place = PromptPlace(own: Environment(["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]))

    private func prompter(_ keyboard: Keyboard) -> PinentryPrompter {
        PinentryPrompter(place: place, program: "/usr/bin/pinentry-tty", terminal: keyboard.device)
    }

    @Test func `a passphrase is typed at a terminal`() async throws {
        let keyboard = try Keyboard()
        let prompter = prompter(keyboard)
        let cancellation = try Cancellation()
        let screen = try keyboard.type("brisk otter 100%\n", after: "Passphrase of")
        let typed = try Begun {
            try prompter.passphrase(
                PassphraseQuestion(title: "Passphrase of “work”", lines: ["Program: ssh ← git"]),
                cancellation
            )
        }
        #expect(try await screen.value.contains("Program: ssh ← git"))
        #expect(try await typed.value.withBytes { $0.copied() } == Array("brisk otter 100%".utf8))
    }

    @Test func `a question for yes or no is not left to it at a terminal`() async throws {
        let keyboard = try Keyboard()
        let prompter = prompter(keyboard)
        let cancellation = try Cancellation()
        await #expect(throws: PromptError.nobody) {
            try await onThread {
                _ = try prompter.confirm(ConfirmQuestion(title: "Allow “ssh” to sign?"), cancellation)
            }
        }
    }
}
