internal import CSecretLoader
public import RecordStore
internal import Synchronization

/// The desktop's Secret Service, reached over the session bus (libsecret).
///
/// Every call blocks, at most as long as `patience` allows, so callers use an executor of their own. Calls run one after
/// the other on a thread of this object. A call without a response in time is cancelled. If the call still does not end,
/// its thread is abandoned, and the next call starts a new one. After the service or the bus died, the next call connects
/// again.
public final class SecretService: Sendable {
    /// The time limits of calls.
    public let patience: Patience
    private let address: String
    /// Whether the service must be hsip's own.
    private let isOwn: Bool
    private let state = Mutex(State())

    private struct State {
        var worker: Worker?
        /// The calls that a caller waits for.
        var waiting: [Waiting] = []
    }

    private init(address: String, isOwn: Bool = false, patience: Patience) {
        self.address = address
        self.isOwn = isOwn
        self.patience = patience
    }

    /// Connects to the service of this session and agrees on a key for the transport of secrets.
    ///
    /// - Parameters:
    ///   - environment: The variables with the address of the session bus: `DBUS_SESSION_BUS_ADDRESS`, `XDG_RUNTIME_DIR`.
    ///   - patience: The time limits of calls.
    /// - Returns: The service, which has answered once.
    /// - Throws: `noSessionBus`, `noSecretService`, `ownProvider`, `noSecretLibrary`, `keyringTimeout`, `keyringDied`.
    public static func connect(
        environment: [String: String],
        patience: Patience
    ) throws(StoreError) -> SecretService {
        try connect(environment: environment, patience: patience, library: SecretLibrary.name)
    }

    /// Connects to hsip's own service, to test it.
    ///
    /// - Throws: The errors of `connect`, except `ownProvider`; `noSecretService` if another service answers.
    package static func connectToOwn(
        environment: [String: String],
        patience: Patience
    ) throws(StoreError) -> SecretService {
        try connect(environment: environment, patience: patience, library: SecretLibrary.name, isOwn: true)
    }

    static func connect(
        environment: [String: String],
        patience: Patience,
        library: String,
        isOwn: Bool = false
    ) throws(StoreError) -> SecretService {
        let address = try BusAddress.find(in: environment)
        try SecretLibrary.load(library)
        let service = SecretService(address: address, isOwn: isOwn, patience: patience)
        try service.perform { _, _ in }
        return service
    }

    /// Returns every collection except the transient one of the login session; the default collection is first.
    public func collections() throws(StoreError) -> [CollectionInfo] {
        try perform { link, waiting throws(StoreError) in try link.collections(waiting) }
    }

    /// Finds the chosen collection, and unlocks it.
    ///
    /// - Parameters:
    ///   - choice: The default collection, or a collection by its label or the last part of its path.
    ///   - making: Whether to make a named collection if it is missing and a person may be asked for its password.
    /// - Returns: The unlocked collection.
    /// - Throws: `noSuchCollection`, `keyringLocked`, `promptDismissed`, `keyringTimeout`.
    public func collection(_ choice: CollectionChoice, making: Bool) throws(StoreError) -> CollectionInfo {
        var found = try find(choice)
        if found == nil, making, patience.mayAsk, case .named(let label) = choice {
            _ = try makeCollection(label)
            found = try find(choice)
        }
        guard let found else { throw .noSuchCollection }
        guard found.isLocked else { return found }
        try unlock([found.path])
        return CollectionInfo(
            path: found.path,
            label: found.label,
            isLocked: false,
            isDefault: found.isDefault
        )
    }

    /// Makes a collection, for which the service may ask for a password.
    ///
    /// - Returns: The path of the collection.
    package func makeCollection(_ label: String) throws(StoreError) -> String {
        try perform { link, waiting throws(StoreError) in try link.makeCollection(label, waiting) }
    }

    /// Removes a collection, and does not check that it is empty.
    ///
    /// - Throws: `keyringLocked` if the service needs a prompt for a person first.
    package func removeCollection(_ path: String) throws(StoreError) {
        try perform { link, waiting throws(StoreError) in try link.removeCollection(path, waiting) }
    }

    private func find(_ choice: CollectionChoice) throws(StoreError) -> CollectionInfo? {
        let all = try collections()
        return switch choice {
        case .standard: all.first(where: \.isDefault)
        case .named(let name):
            all.first { $0.label == name } ?? all.first { $0.path.split(separator: "/").last ?? "" == name }
        }
    }

    /// Ends all waiting calls with `cancelled`.
    public func cancel() {
        for waiting in state.withLock({ $0.waiting }) { waiting.end(.cancelled) }
    }

    /// Runs a call on the thread of this object, and waits for its end.
    ///
    /// - Parameters:
    ///   - isFormality: Whether a prompt may be shown even if no person may be asked; the wait is not longer then.
    ///   - call: The call, which gets the connection and the wait that may cancel it.
    /// - Returns: The result of `call`.
    /// - Throws: The errors of `call` and of connecting; `keyringTimeout` without a response in time; `keyringDied` if the
    ///   service ended; the reason for which another thread ended the wait, such as `cancelled`.
    func perform<R: Sendable>(
        isFormality: Bool = false,
        _ call: @escaping @Sendable (Link, Waiting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let waiting = Waiting(mayAsk: patience.mayAsk, isFormality: isFormality)
        let answer = Answer<R>()
        let worker = try state.withLock { state throws(StoreError) in
            let worker = if let present = state.worker { present } else { try Worker() }
            state.worker = worker
            state.waiting.append(waiting)
            return worker
        }
        worker.add { [address, isOwn] link in
            answer.set(Self.run(call, &link, address, isOwn, waiting))
            waiting.finish()
        }
        let hasEnded = waiting.wait(patience)
        state.withLock { state in
            state.waiting.removeAll { $0 === waiting }
            if !hasEnded, state.worker === worker { state.worker = nil }
        }
        guard hasEnded, let result = answer.take() else { throw waiting.reason ?? .keyringTimeout }
        return try result.get()
    }

    /// Connects if the connection is missing or dead, and makes the call; runs on the worker's thread.
    private static func run<R>(
        _ call: (Link, Waiting) throws(StoreError) -> R,
        _ connection: inout Link?,
        _ address: String,
        _ isOwn: Bool,
        _ waiting: Waiting
    ) -> Result<R, StoreError> {
        if let reason = waiting.reason { return .failure(reason) }
        do throws(StoreError) {
            if connection?.isAlive != true {
                connection = nil
                connection = try Link(address: address, isOwn: isOwn, waiting)
            }
        } catch {
            return .failure(waiting.reason ?? error)
        }
        guard let link = connection else { return .failure(.keyringDied) }
        do throws(StoreError) {
            return .success(try waiting.lettingPrompts { () throws(StoreError) in try call(link, waiting) })
        } catch {
            // The reason that ended the wait counts first. A service that is missing now has died, because it answered before.
            // Closing the connection removes an abandoned prompt.
            if waiting.reason != nil, waiting.isPrompting { connection = nil }
            return .failure(waiting.reason ?? (error == .noSecretService ? .keyringDied : error))
        }
    }
}
