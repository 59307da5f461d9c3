import Presentation
import RecordStore
import SecretServiceStore
import Support
import Testing
import VaultLifecycle

@testable import Commands
@testable import hsip

@Suite struct BackendChoiceTests {
    private static func collection(isLocked: Bool, isDefault: Bool = true) -> CollectionInfo {
        CollectionInfo(
            path: "/org/freedesktop/secrets/collection/login",
            label: "Login",
            isLocked: isLocked,
            isDefault: isDefault
        )
    }

    struct Answer: Sendable {
        let finding: KeyringFinding
        let mayAsk: Bool
        let backend: Backend
        let reason: BackendReason
    }

    static let answers: [Answer] =
        [
            Answer(finding: .open, mayAsk: true, backend: .secretService, reason: .answered),
            Answer(finding: .open, mayAsk: false, backend: .secretService, reason: .answered),
            Answer(finding: .locked, mayAsk: true, backend: .secretService, reason: .answered),
            Answer(finding: .locked, mayAsk: false, backend: .file, reason: .keyringLocked),
        ]
        + [
            (StoreError.noSessionBus, BackendReason.noSessionBus), (.noSecretService, .noSecretService),
            (.noSecretLibrary, .noSecretLibrary), (.noSuchCollection, .noSuchCollection),
            (.keyringLocked, .keyringLocked), (.promptDismissed, .keyringLocked),
            (.keyringTimeout, .keyringTimeout), (.keyringDied, .keyringDied),
            (.keyringRefused(code: 9), .keyringRefused), (.ownProvider, .ownProvider),
            (.io(code: 5), .keyringRefused),
        ].flatMap { error, reason in
            [true, false].map {
                Answer(finding: .failed(error), mayAsk: $0, backend: .file, reason: reason)
            }
        }

    @Test(arguments: answers) func `auto takes the keyring only when it can be opened`(_ answer: Answer) {
        let choice = BackendChoice.automatic(answer.finding, mayAsk: answer.mayAsk)
        #expect(choice == BackendChoice(backend: answer.backend, reason: answer.reason))
    }

    @Test func `a list of collections without a default one is a failure`() {
        #expect(KeyringFinding([]) == .failed(.noSuchCollection))
        #expect(
            KeyringFinding([Self.collection(isLocked: false, isDefault: false)]) == .failed(.noSuchCollection)
        )
        #expect(KeyringFinding([Self.collection(isLocked: false)]) == .open)
        #expect(KeyringFinding([Self.collection(isLocked: true)]) == .locked)
    }

    struct Words: Sendable {
        let request: BackendChoice.Request
        let choice: BackendChoice?
    }

    static let words: [Words] = [
        Words(request: .init(), choice: nil),
        Words(request: .init(backend: .file), choice: BackendChoice(backend: .file, reason: .asked)),
        Words(request: .init(isPath: true), choice: BackendChoice(backend: .file, reason: .path)),
        Words(
            request: .init(fileOption: "-o"),
            choice: BackendChoice(backend: .file, reason: .passphraseGiven)
        ),
        Words(
            request: .init(backend: .file, isPath: true, fileOption: "-o"),
            choice: BackendChoice(backend: .file, reason: .asked)
        ),
        Words(
            request: .init(backend: .secretService),
            choice: BackendChoice(backend: .secretService, reason: .asked)
        ),
        Words(
            request: .init(collection: "work"),
            choice: BackendChoice(backend: .secretService, reason: .asked)
        ),
    ]

    @Test(arguments: words) func `what was said outright decides without asking the keyring`(
        _ words: Words
    ) throws {
        #expect(try BackendChoice.outright(words.request) == words.choice)
    }

    static let contradictions: [BackendChoice.Request] = [
        .init(backend: .file, collection: "work"),
        .init(backend: .secretService, isPath: true),
        .init(backend: .secretService, fileOption: "--passphrase-file"),
        .init(collection: "work", fileOption: "-o"),
    ]

    @Test(arguments: contradictions) func `words that contradict each other are refused`(
        _ request: BackendChoice.Request
    ) {
        let failure = #expect(throws: Failure.self) { try BackendChoice.outright(request) }
        #expect(failure?.exitCode == ExitCode.usage.rawValue)
    }

    @Test func `every reason has words, and no two the same`() {
        #expect(Set(BackendReason.allCases.map(\.text)).count == BackendReason.allCases.count)
    }
}
