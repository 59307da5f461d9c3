internal import AgentProtocol
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import VaultKit
internal import VaultLifecycle

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

    /// Does something with the vault, and waits for it.
    ///
    /// - Throws: `usage` within the person's answer to a question of this vault; `busy` when the time is over: then
    ///   the work may still be done, and the next call waits for its end.
    func call<R: Sendable>(_ work: @escaping @Sendable (any VaultService) async throws -> R) throws -> R {
        guard !isAsking else { throw LibraryError.usage }
        guard turn.wait(timeout: .now() + options.patience.interval) == .success else {
            throw LibraryError.busy
        }
        let call = BlockingCall()
        let box = Box<Result<R, any Error>>()
        asker.serve(call)
        Task.detached { [self] in
            do {
                box.put(.success(try await work(opened.vault)))
            } catch {
                box.put(.failure(error))
            }
            asker.serve(nil)
            turn.signal()
            call.finish()
        }
        _ = call.wait(options.patience, asking: answer)
        guard let result = box.value else { throw LibraryError.busy }
        return try result.get()
    }

    /// What a command works with.
    func context(_ vault: any VaultService) -> CallContext {
        CallContext(
            vault: vault,
            publicKeyFolder: opened.publicKeyFolder,
            now: SystemTime.seconds
        )
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
