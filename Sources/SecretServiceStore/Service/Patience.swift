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
    public static let glance = Patience(call: .seconds(3), mayAsk: false)
    /// To work with a vault: as long as another process may hold its lock, and a person may be asked.
    public static let person = Patience(call: .seconds(10), mayAsk: true)
    /// To work with a vault where no one can be asked.
    public static let script = Patience(call: .seconds(10), mayAsk: false)
}
