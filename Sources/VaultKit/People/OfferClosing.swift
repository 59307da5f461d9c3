internal import HSIP
public import RecordStore
public import VaultCrypto

/// My open offers, closed in a commit that is made elsewhere: with a change of the vault key.
public enum OfferClosing {
    /// The changes that close every open offer of mine, and how many there are.
    ///
    /// - Parameters:
    ///   - reader: The vault as it is.
    ///   - now: Unix seconds.
    ///   - entropy: Where randomness comes from.
    /// - Returns: no changes for a vault without an identity, or without an open offer.
    /// - Throws: what reading the people of the vault throws.
    public static func changes(
        _ reader: any RecordReader,
        now: UInt64,
        entropy: Entropy
    ) throws(VaultError) -> (changes: [Change], count: Int) {
        var loaded: LoadedBook
        do throws(VaultError) {
            loaded = try LoadedBook(reader)
        } catch {
            guard error == .noIdentity else { throw error }
            return ([], 0)
        }
        try loaded.loadAll(reader)
        loaded.settle(wallClock: now)
        let open = loaded.book.offers.values.count { offer in
            if case .mine(_, _, .open) = offer.side { true } else { false }
        }
        guard open > 0 else { return ([], 0) }
        var book = loaded.book
        do {
            _ = try book.reduce(.closeOffers, wallClock: now, entropy: entropy)
        } catch {
            throw VaultError(error)
        }
        return (try loaded.changes(to: book)?.changes ?? [], open)
    }
}
