public import HSIP
internal import RecordStore

/// The three forms of a comparison, in the order in which they are offered.
public struct Comparison: Sendable, Codable {
    /// The contact to compare with.
    public let contact: ContactSummary
    /// The code that the contact's program reads from this screen.
    public let code: VerifyCode
    /// The safety number of 60 digits, equal on both sides.
    public let number: SafetyNumber
    /// The 12 emoji of the sending session, as indices; empty if there is no such session.
    public let emoji: [UInt8]
    /// The role of this vault in the sending session; the other side must show the other mark.
    public let role: Role?
}

extension Vault {
    /// Makes the numbers that two people compare.
    public func comparison(with alias: String) throws(VaultError) -> Comparison {
        let book = try book()
        let contact = try book.named(alias)
        let summary = ContactSummary(contact, in: book, at: book.clock.moment(wallClock: now()))
        return try asVaultError {
            Comparison(
                contact: summary,
                code: try book.verifyCode(for: contact.peerID),
                number: try book.safetyNumber(with: contact.peerID),
                emoji: summary.sending?.emoji ?? [],
                role: summary.sending?.role
            )
        }
    }

    /// Computes the safety number that the sender of a code would have; the user asks the sender for it after a key change.
    public func safetyNumber(claimedBy code: ExchangeCode) throws(VaultError) -> SafetyNumber {
        let book = try book()
        return try asVaultError {
            try SafetyNumber(book.identity.publicKey, try book.claim(in: code).key)
        }
    }

    /// Records that the user compared the numbers and they matched.
    ///
    /// The compared key becomes trusted, not a key that got the name meanwhile.
    ///
    /// - Throws: `conflict` if the contact was paired again or got another key during the comparison.
    public func markVerified(
        _ compared: Comparison,
        by how: Contact.Verification
    ) throws(VaultError) -> Reply {
        try act { book in
            let contact = try book.named(compared.contact.alias)
            guard contact.peerID == compared.contact.contact.peerID,
                PairingOrder.sending(contact.pairings)?.id == compared.contact.sending?.pairing
            else { throw StoreError.conflict }
            return .matched(contact.peerID, how)
        }
    }
}
