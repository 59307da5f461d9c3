import AgentProtocol
import Glibc
import RecordStore
import Support
import Synchronization
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// Answers questions as a test says, and keeps them.
final class ScriptedPrompter: Prompter {
    private let answers: Mutex<[Result<Said, PromptError>]>
    private let asked = Mutex<[ConfirmQuestion]>([])

    init(_ answers: Result<Said, PromptError>...) { self.answers = Mutex(answers) }

    init(_ answers: [Result<Said, PromptError>]) { self.answers = Mutex(answers) }

    var questions: [ConfirmQuestion] { asked.withLock { $0 } }

    func passphrase(_ question: PassphraseQuestion, _: Cancellation) throws(PromptError) -> Secret {
        throw .nobody
    }

    func confirm(_ question: ConfirmQuestion, _: Cancellation) throws(PromptError) -> Said {
        asked.withLock { $0.append(question) }
        let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return try (answer ?? .failure(.nobody)).get()
    }
}

/// A gate over a vault in memory, with a log in a folder of its own.
final class GateFixture: Sendable {
    let scratch: StoreScratch
    let opened: OpenVault
    let gate: Gate

    init(asking prompter: (any Prompter)? = nil) throws {
        scratch = try StoreScratch()
        let store = MemoryStore(entropy: .system, now: { 1_800_000_000_000 })
        opened = OpenVault(
            store: store,
            backend: "memory",
            auditFolder: scratch.path + "/audit",
            close: {}
        )
        // On a machine with much to do a minute may be over between two calls.
        gate = Gate(prompter: prompter, programs: OwnPrograms(["/usr/bin/hsip"]), moment: { 100 })
    }

    static let ssh = Requester(uid: geteuid(), pid: 7, program: .other(path: "/usr/bin/ssh"), chain: ["ssh"])
    static let key = KeyFacts(name: "work", fingerprint: "SHA256:w", needsConfirmation: false, namespaces: [])
    static let login = Act.sign(
        key,
        .login(user: "me", host: HostFacts(names: ["db1"], fingerprint: "SHA256:h", status: .known)),
        .direct
    )
    static let file = Act.sign(key, .file(namespace: "git"), .unbound)
    static let raw = Act.sign(key, .raw, .direct)

    func open() async throws {
        await waiting { self.gate.vaultOpened(self.opened, for: nil) }
    }

    /// What the gate says; nil for yes.
    func refusal(
        _ act: Act,
        by requester: Requester = GateFixture.ssh,
        _ prompter: (any Prompter)? = nil
    ) async throws -> Refusal? {
        try await refusal([act], by: requester, prompter)
    }

    /// The same for several acts of one call.
    func refusal(
        _ acts: [Act],
        by requester: Requester = GateFixture.ssh,
        _ prompter: (any Prompter)? = nil
    ) async throws -> Refusal? {
        let cancellation = try Cancellation()
        let request = OperationRequest.sample(of: acts)
        return await waiting {
            do throws(Refusal) {
                var call = GateCall(
                    request: request,
                    acts: acts,
                    requester: requester,
                    prompter: prompter,
                    cancellation: cancellation
                )
                try self.gate.permit(&call)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Kind, verdict and reason of each entry.
    func log() async throws -> [String] {
        try await opened.vault.auditEntries(AuditQuery()).map {
            "\($0.entry.kind.word) \($0.entry.verdict.word) \($0.entry.reason)"
        }
    }
}

extension OperationRequest {
    /// A call of an operation about some names, of the arguments that expose the most.
    static func sample(_ operation: String, _ names: [String] = []) -> OperationRequest? {
        OperationTable.all.first { $0.name == operation }
            .map { operation in
                OperationRequest(
                    operation.name,
                    operation.exposures[0],
                    .named(names),
                    items: operation.items,
                    audit: operation.audit
                )
            }
    }

    /// The call that comes to these acts; nil for signatures.
    static func sample(of acts: [Act]) -> OperationRequest? {
        guard case .read(let operation, _)? = acts.first else { return nil }
        return sample(operation, acts.map(\.subject))
    }
}

/// Runs what waits for a vault or a person on a thread of its own.
func waiting<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await onOwnThread(body) {}
}
