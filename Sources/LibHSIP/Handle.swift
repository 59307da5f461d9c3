internal import AgentProtocol
internal import Dispatch
internal import Glibc
internal import Secrets
internal import Synchronization

/// An open vault of the host program; calls on it run one after the other.
final class Handle: Sendable {
    private let options: HostOptions
    private let opened: OpenedService
    private let asker: Asker
    private let turn = DispatchSemaphore(value: 1)
    /// The thread that asks its person now; nil if no question is open.
    private let asking = Mutex<pthread_t?>(nil)

    init(_ options: HostOptions, _ opened: OpenedService, _ asker: Asker) {
        self.options = options
        self.opened = opened
        self.asker = asker
    }

    /// Runs `work` with the vault, and waits for it; an error names the contact or secret.
    ///
    /// - Throws: `usage` if a question of this vault is open in this thread; `busy` after the time limit: then the work may
    ///   still be done, and the next call waits for its end.
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

    /// Closes the vault; waits for a call in another thread up to the time limit.
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

/// The open vaults, by the handles that C programs hold.
///
/// A handle is a number that is never used again, not an address. The handle of a closed vault is not found, and the
/// library never reads memory at a handle.
enum HandleTable {
    private static let entries = Mutex<(next: UInt, open: [UInt: Handle])>((0x1000, [:]))

    /// Adds a vault, and returns its handle.
    static func add(_ handle: Handle) -> OpaquePointer? {
        let name = entries.withLock { entries in
            entries.next += 16
            entries.open[entries.next] = handle
            return entries.next
        }
        return unsafe OpaquePointer(bitPattern: name)
    }

    /// The vault of a handle.
    ///
    /// - Throws: `unavailable` in a child of the process that opened it; `usage` if no vault has the handle.
    static func find(_ name: OpaquePointer?) throws(LibraryError) -> Handle {
        guard OwnProcess.isOwn else { throw .unavailable }
        let handle = entries.withLock { $0.open[UInt(bitPattern: name)] }
        guard let handle else { throw .usage }
        return handle
    }

    /// Removes a handle, and returns its vault; nil if no vault has it.
    static func remove(_ name: OpaquePointer?) -> Handle? {
        guard OwnProcess.isOwn else { return nil }
        return entries.withLock { $0.open.removeValue(forKey: UInt(bitPattern: name)) }
    }
}

/// The process in which the library was started.
///
/// A child made by fork(2) does not have the library's threads: code that waited for them or for their locks would wait
/// forever. So a child is refused before it touches anything that it shares with its parent.
enum OwnProcess {
    private static let owner = Atomic<pid_t>(0)
    private static let isCopy = Atomic<Bool>(false)

    /// Records this process as the owner of the library, if no process is recorded yet.
    ///
    /// - Returns: False in a child of the process where a vault was opened before.
    static func claim() -> Bool {
        let (isFirst, owner) = owner.compareExchange(
            expected: 0,
            desired: getpid(),
            ordering: .sequentiallyConsistent
        )
        guard isFirst else { return owner == getpid() && !isCopy.load(ordering: .relaxed) }
        // A process ID may be used again in a later child, so a child is marked as well.
        pthread_atfork(nil, nil) { OwnProcess.isCopy.store(true, ordering: .relaxed) }
        return true
    }

    /// True if a vault may have been opened in this process, or in none yet: before that a fork is harmless.
    static var isOwn: Bool {
        let owner = owner.load(ordering: .relaxed)
        return owner == 0 || owner == getpid() && !isCopy.load(ordering: .relaxed)
    }
}
