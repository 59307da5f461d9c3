import Synchronization
import Testing
import VaultCrypto

@testable import AgentKit

struct AnnouncingPrompterTests {
    /// Asks nobody, and says yes.
    private struct Yes: Prompter {
        func confirm(_: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said { .once }
    }

    /// What was told, in order: whether it was the passphrase.
    private final class Told: Sendable {
        let list = Mutex<[Bool]>([])
    }

    @Test func `the place of a question is told once, however many pages and tries there are`() throws {
        let told = Told()
        let prompter = AnnouncingPrompter(Yes()) { isPassphrase in
            told.list.withLock { $0.append(isPassphrase) }
        }
        let cancellation = try Cancellation()
        for attempt in 1...2 {
            _ = try? prompter.passphrase(
                PassphraseQuestion(title: "Passphrase", attempt: attempt),
                cancellation
            )
        }
        for page in 1...3 {
            _ = try prompter.confirm(ConfirmQuestion(title: "Page \(page)?"), cancellation)
        }
        #expect(told.list.withLock { $0 } == [true, false])
    }

    @Test func `a prompter that cannot hide what is typed asks for no passphrase`() throws {
        let cancellation = try Cancellation()
        #expect(throws: PromptError.nobody) {
            try Yes().passphrase(PassphraseQuestion(title: "Passphrase"), cancellation)
        }
    }
}
