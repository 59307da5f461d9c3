internal import HSIP

/// Something that was shown or sent, and may arrive never, once, twice or late.
enum ActsItem: Hashable, Sendable {
    case code(ExchangeCode)
    /// A message, and what was said when it was sealed: whether its reader can be expected to have its key.
    case message(MessageEnvelope, isOrdinary: Bool, endsAt: UInt64)
}
