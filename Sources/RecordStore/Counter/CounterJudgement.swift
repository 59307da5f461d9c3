/// What was seen of a TPM's counter.
public enum CounterSight: Equatable, Sendable {
    /// Its value, of which the TPM itself vouched.
    case value(UInt64)
    /// The index is gone, is another one, or does not know the auth.
    case gone
    /// The TPM, its library or the right to use it is missing.
    case unread
}

/// What a counter in a TPM says of a vault that was opened.
///
/// A commit comes before its count. So a vault whose record is one ahead was stopped in between, and is as fresh as one
/// whose record is equal; one whose record is behind is older than what was used on this machine.
public enum CounterJudgement: Equatable, Sendable {
    /// The vault is the newest that was counted here.
    case fine
    /// The same, and the next count has been committed already.
    case countDue
    /// The vault is older than what was used on this machine.
    case ahead
    /// The counter was removed or made anew, or the TPM was cleared or exchanged.
    case gone
    /// It cannot be told.
    case unread

    /// Whether the vault may be written.
    public var allowsWriting: Bool { self == .fine || self == .countDue }

    /// Judges an opened vault that is to have a counter on this machine.
    ///
    /// `recorded` is the value in this machine's record; nil where the vault has none.
    public init(recorded: UInt64?, seen: CounterSight) {
        // Without a record the vault is of before the counter was made.
        guard let recorded else {
            self = .ahead
            return
        }
        switch seen {
        case .gone: self = .gone
        case .unread: self = .unread
        case .value(let value) where recorded == value: self = .fine
        case .value(let value) where recorded < value: self = .ahead
        case .value(let value): self = recorded - value == 1 ? .countDue : .gone
        }
    }
}
