internal import AgentProtocol
internal import Dispatch
internal import Glibc
internal import Secrets
internal import Synchronization

/// One vault of the host program's: calls on it are done one after the other.
final class Handle: Sendable {
    private let options: HostOptions
    private let opened: OpenedService
    private let asker: Asker
    private let turn = DispatchSemaphore(value: 1)
    /// The thread that asks its person at this moment.
    private let asking = Mutex<pthread_t?>(nil)

    init(_ options: HostOptions, _ opened: OpenedService, _ asker: Asker) {
        self.options = options
        self.opened = opened
        self.asker = asker
    }

    /// Does something with the vault, and waits for it; a refusal names the contact or secret.
    ///
    /// - Throws: `usage` within the person's answer to a question of this vault; `busy` when the time is over: then
    ///   the work may still be done, and the next call waits for its end.
    func call<R: Sendable>(
        about name: String? = nil,
        secret: CredentialReference? = nil,
        wanted: String? = nil,
        _ work: @escaping @Sendable (OpenedService) async throws -> R
    ) throws -> R {
        guard !isAsking else { throw LibraryError.usage }
        guard turn.wait(timeout: .now() + options.patience.interval) == .success else {
            throw LibraryError.busy
        }
        let call = BlockingCall<R>()
        asker.serve(call.ask)
        Task.detached { [self] in
            let result: Result<R, any Error>
            do {
                let done = try await opened.explaining(about: name, secret: secret, wanted: wanted) {
                    try await work(opened)
                }
                result = .success(done)
            } catch {
                result = .failure(error)
            }
            asker.serve(nil)
            turn.signal()
            call.finish(result)
        }
        return try call.wait(options.patience, asking: answer)
    }

    /// Ends it, after a call in another thread, if that ends in time.
    func close() {
        let isWaited = !isAsking && turn.wait(timeout: .now() + options.patience.interval) == .success
        opened.end()
        if isWaited { turn.signal() }
    }

    private func answer(_ question: Question) -> Answer {
        guard let ask = options.ask else { return .nobody }
        asking.withLock { $0 = pthread_self() }
        defer { asking.withLock { $0 = nil } }
        return ask.answer(question)
    }

    private var isAsking: Bool {
        asking.withLock { $0 }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
}

/// The open vaults by the names that C has for them.
///
/// A name is a number that was never used before: the name of a closed vault leads nowhere, and the library reads
/// nothing at its address.
enum HandleTable {
    private static let entries = Mutex<(next: UInt, open: [UInt: Handle])>((0x1000, [:]))

    /// Notes a vault and names it.
    static func add(_ handle: Handle) -> OpaquePointer? {
        let name = entries.withLock { entries in
            entries.next += 16
            entries.open[entries.next] = handle
            return entries.next
        }
        return unsafe OpaquePointer(bitPattern: name)
    }

    /// The vault of a name.
    ///
    /// - Throws: `unavailable` in a child of the process that opened it; `usage` if no vault has the name.
    static func find(_ name: OpaquePointer?) throws(LibraryError) -> Handle {
        guard OwnProcess.isOwn else { throw .unavailable }
        let handle = entries.withLock { $0.open[UInt(bitPattern: name)] }
        guard let handle else { throw .usage }
        return handle
    }

    /// Forgets a name; nil if no vault has it.
    static func remove(_ name: OpaquePointer?) -> Handle? {
        guard OwnProcess.isOwn else { return nil }
        return entries.withLock { $0.open.removeValue(forKey: UInt(bitPattern: name)) }
    }
}

/// Which process the library was started in.
///
/// Its threads and locks are not in a child made by fork(2): a thread that waited there for them would wait for ever. So a
/// child is turned away before anything is touched that it shares with its parent.
enum OwnProcess {
    private static let owner = Atomic<pid_t>(0)
    private static let isCopy = Atomic<Bool>(false)

    /// Makes this process the one of the library, or says that it is already.
    ///
    /// - Returns: false in a child of the process where a vault was opened before.
    static func claim() -> Bool {
        let (isFirst, owner) = owner.compareExchange(
            expected: 0,
            desired: getpid(),
            ordering: .sequentiallyConsistent
        )
        guard isFirst else { return owner == getpid() && !isCopy.load(ordering: .relaxed) }
        // A number may come again in a later child, so a child is marked as well.
        pthread_atfork(nil, nil) { OwnProcess.isCopy.store(true, ordering: .relaxed) }
        return true
    }

    /// Whether a vault may have been opened in this process; before that a fork does no harm.
    static var isOwn: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner == getpid() && !isCopy.load(ordering: .relaxed)
    }
}
