internal import CSecretLoader
internal import Dispatch
internal import RecordStore
internal import Synchronization

/// The wait of a caller until its call has ended, was cancelled, or timed out.
final class Waiting: Sendable {
    private struct State {
        var isFinished = false
        /// The reason that the caller stopped waiting.
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

    /// The GCancellable to pass to libsecret's calls.
    var pointer: UnsafeMutablePointer<GCancellable>? { unsafe UnsafeMutablePointer(bitPattern: cancellable) }

    /// The reason that the caller stopped waiting; nil while it waits.
    var reason: StoreError? { state.withLock { $0.reason } }

    /// True if a prompt for a person was allowed.
    var isPrompting: Bool { state.withLock { $0.isPrompting } }

    /// Returns whether a prompt may be shown now; if a person may be asked, the caller then waits for the longer `prompt` time.
    func allowsPrompt() -> Bool {
        guard mayAsk else { return isFormality && reason == nil }
        return state.withLock { state in
            state.isPrompting = true
            return state.reason == nil
        }
    }

    /// Makes a call in which libsecret asks `allowsPrompt` before it shows a prompt.
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

    /// Ends the wait and cancels the call; only the first reason counts.
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

    /// Records that the call has ended, with or without an error.
    func finish() {
        state.withLock { $0.isFinished = true }
        news.signal()
    }

    /// Waits for the end of the call, within the limits of `patience`.
    ///
    /// - Returns: True if the call has ended; false if it was cancelled a second ago and still runs.
    func wait(_ patience: Patience) -> Bool {
        let start = DispatchTime.now()
        var isOver = news.wait(timeout: start + patience.call.interval) == .timedOut
        if isOver, isPrompting {
            isOver = news.wait(timeout: start + patience.prompt.interval) == .timedOut
        }
        if isOver { end(.keyringTimeout) }
        // `end` may have signalled before the call itself did.
        let grace = DispatchTime.now() + .seconds(1)
        while !state.withLock({ $0.isFinished }) {
            if news.wait(timeout: grace) == .timedOut { return state.withLock { $0.isFinished } }
        }
        return true
    }

    deinit { unsafe SecretLibrary.calls.g_object_unref(pointer) }
}

extension Duration {
    /// This duration for Dispatch, in nanoseconds, at most 292 years.
    fileprivate var interval: DispatchTimeInterval {
        let (seconds, fraction) = components
        return .nanoseconds(Int(clamping: Int128(seconds) * 1_000_000_000 + Int128(fraction / 1_000_000_000)))
    }
}

/// The time limits for calls to the Secret Service, and whether it may ask a person.
public struct Patience: Equatable, Sendable {
    /// The longest wait for a call without a prompt.
    public var call: Duration
    /// The longest further wait for a call that has shown a prompt.
    public var prompt: Duration
    /// Whether a prompt may be shown, because a person is at the desktop.
    public var mayAsk: Bool

    /// Makes limits with other values than the presets.
    public init(call: Duration, prompt: Duration = .seconds(120), mayAsk: Bool) {
        self.call = call
        self.prompt = prompt
        self.mayAsk = mayAsk
    }

    /// The limits to find out whether a service answers: two seconds, and nobody is asked.
    public static let probe = Patience(call: .seconds(2), mayAsk: false)
    /// The limits to inspect a vault that may not answer: three seconds, and nobody is asked.
    public static let brief = Patience(call: .seconds(3), mayAsk: false)
    /// The limits to work with a vault: ten seconds, as long as the wait for its lock, and a person may be asked.
    public static let person = Patience(call: .seconds(10), mayAsk: true)
    /// The limits to work with a vault if nobody can be asked: ten seconds.
    public static let script = Patience(call: .seconds(10), mayAsk: false)
}

/// The result of a call, passed from the thread of the call to the caller.
///
/// If the caller no longer waits, the result is freed with the call, on the thread that made it.
final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreError>?>(nil)

    func set(_ value: Result<Value, StoreError>) { result.withLock { $0 = value } }

    func take() -> Result<Value, StoreError>? { result.withLock { $0.take() } }
}
