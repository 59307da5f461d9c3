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
