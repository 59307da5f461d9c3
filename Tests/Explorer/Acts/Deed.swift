package import HSIP

/// What may happen at one vault, by whom it is done and to what.
package enum Deed: Hashable, Sendable {
    /// A new OFFER, for a contact or for anybody.
    case offer(to: Int?)
    /// What `pair CONTACT` shows.
    case next(to: Int)
    /// Shows an open OFFER again.
    case show
    /// A new OFFER with an option about its suite.
    case offerAs(SuiteOption, to: Int?)
    /// What `pair CONTACT` shows with such an option.
    case nextAs(SuiteOption, to: Int)
    /// One message.
    case send(to: Int)
    /// Takes a code that somebody has shown.
    case take(Int)
    /// Takes a code from the other's own screen: `accept --in-person`.
    case takeInPerson(Int)
    /// Takes a code that its author's program made wrong, and signed.
    case takeFaulty(Int, Fault)
    /// Reads a message that somebody has sent.
    case read(Int)
    /// Says which suite somebody's program knows: `contact set --suite`.
    case set(Suite, of: Int)
    /// The emoji were compared with somebody, and matched.
    case compare(with: Int)
    /// A program that knows suite 02 is installed over the same vault.
    case update
    /// Ends every session with somebody.
    case revoke(to: Int)
    /// Publishes the notice that ends one's own identity.
    case renounce
    /// Keeps a copy of the records.
    case backup
    /// Puts the copy back.
    case restore
    /// The clock stands there now, seconds after the beginning.
    case clock(UInt64)

    /// What it costs; nil for what only follows from something else.
    var cost: Cost? {
        switch self {
        case .offer, .offerAs: .offer
        case .next, .nextAs: .next
        case .send: .send
        case .take, .takeInPerson, .takeFaulty: .take
        case .read, .show, .update: nil
        case .set, .compare: .say
        case .revoke, .renounce: .end
        case .backup, .restore: .restore
        case .clock: .clock
        }
    }
}

/// An option of `pair` about the suite of the code.
package enum SuiteOption: String, Hashable, Sendable, CustomStringConvertible {
    case one = "--suite 01"
    case inPerson = "--in-person"

    package var description: String { rawValue }
}

/// What a reply has that its author's program made wrong; the signature is good.
package enum Fault: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The ciphertext of ML-KEM brings another secret than the one that the keys were made of.
    case otherCiphertext = "other ciphertext"
    /// An ANSWER of suite 01 to an OFFER of suite 02.
    case otherSuite = "other suite"

    package var description: String { rawValue }
}

/// What a walk has to bound: each kind of deed that can be done without end.
package enum Cost: String, CaseIterable, Sendable {
    /// OFFERs made.
    case offer
    /// New codes by `pair CONTACT`.
    case next
    /// Messages sent.
    case send
    /// Codes taken that changed something.
    case take
    /// Sessions and identities ended.
    case end
    /// Backups kept, and put back.
    case restore
    /// Moves of the clock.
    case clock
    /// What a person says about a contact.
    case say

    /// Its place among all.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
