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
        try asVaultError {
            var loaded: LoadedBook
            do { loaded = try LoadedBook(reader) } catch VaultError.noIdentity { return ([], 0) }
            try loaded.loadAll(reader)
            loaded.settle(wallClock: now)
            let open = loaded.book.offers.values.count { offer in
                if case .mine(_, _, .open) = offer.side { true } else { false }
            }
            guard open > 0 else { return ([], 0) }
            var book = loaded.book
            _ = try book.reduce(.closeOffers, wallClock: now, entropy: entropy)
            return (try loaded.changes(to: book)?.changes ?? [], open)
        }
    }
}
