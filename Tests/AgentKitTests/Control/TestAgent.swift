import AgentProtocol
import Glibc
import RecordStore
import Support
import Synchronization
import Testing
import VaultCrypto
import VaultKit
import VaultPolicy

@testable import AgentKit

/// The passphrase of every vault here.
let passphrase = "correct horse battery"

/// A control socket in a folder of its own, over a vault in memory.
final class TestAgent: Sendable {
    let scratch: StoreScratch
    let path: String
    let opener: TestOpener
    let gate: CountingGate
    let core: AgentCore
    let handler: ControlHandler
    let ended = Atomic(false)
    private let stop: Cancellation

    init(
        unattended: Bool = false,
        hasFile: Bool = false,
        limit: Int = FrameLimits.connections,
        prompter: (any Prompter)? = nil,
        questions: QuestionBook = QuestionBook(PrompterChain([])),
        isOwn: Bool = false,
        isFront: Bool = false
    ) throws {
        let scratch = try StoreScratch()
        self.scratch = scratch
        path = scratch.path + "/control.sock"
        let file = hasFile ? scratch.path + "/vault" : nil
        if let file { close(unsafe creat(file, 0o600)) }
        let opener = TestOpener(isUnattended: unattended, file: file)
        let core = AgentCore(opener: opener)
        (self.opener, self.core, gate) = (opener, core, CountingGate())
        let ending = try Cancellation()
        stop = ending
        let mine = Set([ProcessFacts.program(of: getpid()).path].compactMap(\.self))
        let handler = try ControlHandler(
            ControlParts(
                program: "hsip-agent 0.0.0",
                core: core,
                gate: gate,
                prompter: { _ in prompter },
                questions: questions,
                programs: OwnPrograms(isOwn ? mine : [], fronts: isFront ? mine : []),
                ended: { ending.cancel() }
            )
        )
        self.handler = handler
        let server = SocketServer(
            name: "control",
            listener: try Listener.bind(path: path),
            limit: limit,
            turnedAway: { handler.turnAway($0) },
            serve: { handler.serve($0) }
        )
        try OwnThread.start("control") {
            server.run(until: ending)
            server.hangUpAll()
        }
    }

    /// True once the agent has said that it is at its end.
    var hasEnded: Bool { stop.isCancelled }

    /// Removes the vault's file, as someone may who does not know better.
    func takeFileAway() throws { try #require(unsafe unlink(scratch.path + "/vault") == 0) }

    func client(
        _ asks: Hello.Asking = .nobody,
        vault: String? = nil,
        features: [String] = [Hello.pin, Hello.touch],
        asking caller: (any AgentCaller)? = nil
    ) throws(AgentError) -> AgentClient {
        let hello = Hello(program: "hsip 0.0.0", vault: vault, features: features, asks: asks)
        return try AgentClient(path, hello: hello, asking: caller)
    }

    deinit { stop.cancel() }
}

/// Opens a vault in memory by the passphrase, and counts.
final class TestOpener: VaultOpener {
    let vaultName = "vault"
    let vaultPath = "/nowhere/vault.hsipvault"
    let store = MemoryStore(entropy: .system, now: { 0 })
    let opened = Atomic(0)
    let closed = Atomic(0)
    let rootReturns = Atomic(0)
    /// Runs before a vault is opened, where a key would be derived.
    let before = Mutex<@Sendable () -> Void>({})
    let whenClosed = Mutex<@Sendable () -> Void>({})
    /// What every access to the store ends with.
    let fault = Fault()
    /// Whether the vault lies in a keyring that asks for its own password; nil: it opens by a passphrase.
    let keyring = Mutex<KeyringAnswer?>(nil)
    /// Whether the keyring was allowed to ask.
    let mayAsk = Mutex<Bool?>(nil)
    /// The touch of the key that opens its slot 4; nil without such a slot.
    let key = Mutex<Cancellation?>(nil)
    /// Whether the key is unplugged in the place of the touch.
    let isUnplugged = Mutex(false)
    /// How many wrong PINs its slot 3 accepts; nil without such a slot.
    let triesLeft = Mutex<UInt32?>(nil)
    private let isUnattended: Bool
    private let file: String?

    init(isUnattended: Bool, file: String? = nil) {
        self.isUnattended = isUnattended
        self.file = file
    }

    func openUnattended() throws(AgentError) -> OpenVault? { isUnattended ? open() : nil }

    /// What the person answers the keyring.
    enum KeyringAnswer {
        case yes, no
    }

    func openByKeeper(mayAsk: Bool) throws(AgentError) -> OpenVault? {
        guard let answer = keyring.withLock({ $0 }) else { return nil }
        self.mayAsk.withLock { $0 = mayAsk }
        guard answer == .yes else { throw .vault(.store(.promptDismissed)) }
        return open()
    }

    func offer() throws(AgentError) -> SlotOffer? {
        if key.withLock({ $0 }) != nil { return SlotOffer(slot: 4, pin: nil, touch: "Touch it") }
        return triesLeft.withLock { $0 }.map { SlotOffer(slot: 3, pin: "PIN (\($0) wrong ones)", touch: nil) }
    }

    func open(_ slot: SlotPIN, pin: Secret?, _ cancellation: Cancellation?) throws(AgentError) -> OpenVault {
        if let touch = key.withLock({ $0 }), slot.slot == 4 {
            // It waits for the touch, or for the end of that.
            guard cancellation?.wait(for: touch.descriptor) == .ready else { throw .refused(.cancelled) }
            guard !isUnplugged.withLock({ $0 }) else {
                throw .refused(Refusal(12, "securityKeyGone", "the security key was unplugged"))
            }
            return open()
        }
        let isRight = pin?.withBytes { $0.copied() == Array(Self.pin.utf8) } ?? false
        guard slot.takesLastTry || triesLeft.withLock({ $0 }) != 1 else {
            throw .refused(Refusal(7, "lastTries", "a wrong PIN would lock the key for good"))
        }
        guard slot.slot == 3, isRight else {
            triesLeft.withLock { $0 = ($0 ?? 1) - 1 }
            throw .refused(Refusal(6, "pinWrong", "wrong PIN"))
        }
        return open()
    }

    static let pin = "4711"

    func open(with secret: Secret) throws(AgentError) -> OpenVault {
        let isRight = secret.withBytes { $0.copied() == Array(passphrase.utf8) }
        guard isRight else { throw .vault(.store(.wrongSecret)) }
        return open()
    }

    private func open() -> OpenVault {
        before.withLock { $0 }()
        opened.add(1, ordering: .relaxed)
        return OpenVault(
            store: FaultyStore(store, fault),
            backend: "file",
            file: file,
            rootReturns: { [self] in rootReturns.load(ordering: .relaxed) }
        ) { [self] in
            closed.add(1, ordering: .relaxed)
            whenClosed.withLock { $0 }()
        }
    }
}

/// What a store says instead of an answer; nil while it works.
final class Fault: Sendable {
    let error = Mutex<StoreError?>(nil)
}

/// A store that can be made to fail.
final class FaultyStore: Store {
    private let store: MemoryStore
    private let fault: Fault

    init(_ store: MemoryStore, _ fault: Fault) {
        self.store = store
        self.fault = fault
    }

    var vaultID: [UInt8] { store.vaultID }

    func read<R>(_ body: (any RecordReader) throws(StoreError) -> R) throws(StoreError) -> R {
        if let error = fault.error.withLock({ $0 }) { throw error }
        return try store.read(body)
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> Revision {
        if let error = fault.error.withLock({ $0 }) { throw error }
        return try store.commit(changes)
    }
}

/// Lets everything through until it is told otherwise, and counts what it is asked.
final class CountingGate: CallGate {
    let refusal = Mutex<Refusal?>(nil)
    let asked = Mutex<[String]>([])
    let lockers = Mutex<[Requester?]>([])
    let limiter = RateLimiter()
    let leases = LeaseBook()

    func permit(
        _ request: OperationRequest,
        of caller: ControlCaller,
        _ prompter: (any Prompter)?,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass {
        asked.withLock { $0.append("\(request.policy.exposure.word) \(request.policy.operation)") }
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        return GatePass(caller: .own)
    }

    func confirm(_ pass: GatePass) throws(Refusal) {}

    func lease(_ request: LeaseRequest, to caller: ControlCaller) throws(Refusal) -> UInt64 {
        throw refusal.withLock { $0 } ?? .notForBus
    }

    func endLease(_ number: UInt64, by caller: ControlCaller) throws(Refusal) {
        throw refusal.withLock { $0 } ?? .notForBus
    }

    func endLeases(of caller: ControlCaller) {}

    func recordAnswer(_ answer: RequestAnswer, to title: String, by caller: ControlCaller) throws(Refusal) {}

    func permit(
        _ request: OperationRequest,
        for program: BusCaller,
        _ cancellation: Cancellation
    ) throws(Refusal) -> GatePass {
        asked.withLock { $0.append("bus \(request.policy.operation)") }
        throw refusal.withLock { $0 } ?? .notForBus
    }

    func lockComes(by requester: Requester?) { lockers.withLock { $0.append(requester) } }
}

/// Answers each question with the next of its answers, or waits for the test.
final class TestCaller: AgentCaller {
    let questions = Mutex<[Question]>([])
    let heard = Mutex<[AgentEvent]>([])
    private let answers: Mutex<[Answer]>
    /// Whether a touch has no answer of its own.
    private let leavesTouch: Bool
    private let before: @Sendable () -> Void

    init(_ answers: [Answer], leavesTouch: Bool = false, before: @escaping @Sendable () -> Void = {}) {
        self.answers = Mutex(answers)
        self.leavesTouch = leavesTouch
        self.before = before
    }

    func answer(_ question: Question) -> Answer {
        questions.withLock { $0.append(question) }
        before()
        return answers.withLock { $0.isEmpty ? .nobody : $0.removeFirst() }
    }

    func touch(_ question: Question, until end: Int32) -> Answer {
        questions.withLock { $0.append(question) }
        before()
        let answer = answers.withLock { $0.isEmpty || leavesTouch ? nil : $0.removeFirst() }
        guard let answer else {
            // Until the agent says that it is over.
            var request = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&request, 1, 60_000)
            return .no
        }
        return answer
    }

    func hear(_ event: AgentEvent) { heard.withLock { $0.append(event) } }
}

/// A secret out of a text that is none.
func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8)) }

/// Runs `body` on a thread that may wait, and awaits its result.
func apart<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    let result: Result<R, any Error> = await withCheckedContinuation { continuation in
        do {
            try OwnThread.start("test") { continuation.resume(returning: Result { try body() }) }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }
    return try result.get()
}
