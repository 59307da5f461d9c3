internal import CSecretLoader
internal import Dispatch
internal import RecordStore
internal import Synchronization

/// The wait for one call: the caller sits here until the call has ended, was cancelled, or took too long.
final class Waiting: Sendable {
    private struct State {
        var isFinished = false
        /// Why the caller no longer wants to wait.
        var reason: StoreError?
        var isPrompting = false
    }

    private let mayAsk: Bool
    private let isFormality: Bool
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)
    /// The address of the GCancellable that ends the call.
    private let cancellable: UInt

    init(mayAsk: Bool, isFormality: Bool = false) {
        self.mayAsk = mayAsk
        self.isFormality = isFormality
        cancellable = unsafe UInt(bitPattern: SecretLibrary.calls.g_cancellable_new())
    }

    /// What libsecret's calls take.
    var pointer: UnsafeMutablePointer<GCancellable>? { unsafe UnsafeMutablePointer(bitPattern: cancellable) }

    /// Why the caller no longer wants to wait; nil while it does.
    var reason: StoreError? { state.withLock { $0.reason } }

    /// Whether a prompt was shown.
    var isPrompting: Bool { state.withLock { $0.isPrompting } }

    /// Whether a prompt may be shown now; from then on the caller waits as long as a person needs.
    func allowsPrompt() -> Bool {
        guard mayAsk else { return isFormality && reason == nil }
        return state.withLock { state in
            state.isPrompting = true
            return state.reason == nil
        }
    }

    /// Makes a call in which libsecret asks here before it shows a prompt.
    func lettingPrompts<R>(_ call: () throws(StoreError) -> R) throws(StoreError) -> R {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe hsip_secret_ask_before_prompts(
            { context in
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<Waiting>.fromOpaque(context).takeUnretainedValue().allowsPrompt()
                    ? 1 : 0
            },
            context
        )
        defer { hsip_secret_ask_before_prompts(nil, nil) }
        return try call()
    }

    /// Ends the wait, and the call as soon as it notices; the first reason stays.
    func end(_ reason: StoreError) {
        let isFirst = state.withLock { state in
            guard state.reason == nil, !state.isFinished else { return false }
            state.reason = reason
            return true
        }
        guard isFirst else { return }
        unsafe SecretLibrary.calls.g_cancellable_cancel(pointer)
        news.signal()
    }

    /// The call has ended, well or not.
    func finish() {
        state.withLock { $0.isFinished = true }
        news.signal()
    }

    /// Waits as long as patience allows.
    ///
    /// - Returns: whether the call has ended; if not, it was cancelled a second ago and does not answer.
    func wait(_ patience: Patience) -> Bool {
        let start = DispatchTime.now()
        var isOver = news.wait(timeout: start + patience.call.interval) == .timedOut
        if isOver, isPrompting {
            isOver = news.wait(timeout: start + patience.prompt.interval) == .timedOut
        }
        if isOver { end(.keyringTimeout) }
        // The one that ended the wait has signalled, the call itself perhaps not yet.
        let grace = DispatchTime.now() + .seconds(1)
        while !state.withLock({ $0.isFinished }) {
            if news.wait(timeout: grace) == .timedOut { return state.withLock { $0.isFinished } }
        }
        return true
    }

    deinit { unsafe SecretLibrary.calls.g_object_unref(pointer) }
}

extension Duration {
    /// For Dispatch, which counts nanoseconds in one word: 292 years.
    fileprivate var interval: DispatchTimeInterval {
        let (seconds, fraction) = components
        return .nanoseconds(Int(clamping: Int128(seconds) * 1_000_000_000 + Int128(fraction / 1_000_000_000)))
    }
}

/// How long the Secret Service is waited for, and whether it may ask a person.
public struct Patience: Equatable, Sendable {
    /// Longest wait for a call that asks no one.
    public var call: Duration
    /// Longest wait for a call that may show a prompt.
    public var prompt: Duration
    /// Whether a prompt may be shown: a person sits at the desktop.
    public var mayAsk: Bool

    /// A patience of one's own.
    public init(call: Duration, prompt: Duration = .seconds(120), mayAsk: Bool) {
        self.call = call
        self.prompt = prompt
        self.mayAsk = mayAsk
    }

    /// To find out whether a service answers: two seconds, and no one is asked.
    public static let probe = Patience(call: .seconds(2), mayAsk: false)
    /// To look at a vault that may not answer: a look is not worth a long wait.
    public static let brief = Patience(call: .seconds(3), mayAsk: false)
    /// To work with a vault: as long as another process may hold its lock, and a person may be asked.
    public static let person = Patience(call: .seconds(10), mayAsk: true)
    /// To work with a vault where no one can be asked.
    public static let script = Patience(call: .seconds(10), mayAsk: false)
}

/// Where a call leaves its result.
///
/// When no caller waits for it any more it goes with the call itself, on the thread that made it.
final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreError>?>(nil)

    func set(_ value: Result<Value, StoreError>) { result.withLock { $0 = value } }

    func take() -> Result<Value, StoreError>? { result.withLock { $0.take() } }
}
