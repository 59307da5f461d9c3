internal import HSIP

/// Something that was shown or sent, and may arrive never, once, twice or late.
enum ActsItem: Hashable, Sendable {
    case code(ExchangeCode)
    /// A message, and what was said when it was sealed.
    case message(MessageEnvelope, Promise, endsAt: UInt64)

    /// What the sender's program says about the reader.
    enum Promise: Hashable, Sendable {
        /// Nothing: the reader has the key, or a code that makes it is on its way.
        case ordinary
        /// Nothing of theirs has arrived: the answer may not have been taken.
        case unconfirmed
        /// It can be read after an ACCEPT, or perhaps never.
        case none
    }
}
