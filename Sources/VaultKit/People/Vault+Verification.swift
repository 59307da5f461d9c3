public import HSIP
internal import RecordStore

/// The three forms of a comparison, in the order they are offered.
public struct Comparison: Sendable, Codable {
    /// The contact it is about.
    public let contact: ContactSummary
    /// To be read by their program from my screen.
    public let code: VerifyCode
    /// 60 digits, the same on both sides.
    public let number: SafetyNumber
    /// The 12 emoji of the sending session, as indices; empty if there is no such session.
    public let emoji: [UInt8]
    /// My role in it: the other side must show the other mark.
    public let role: Role?
}

extension Vault {
    /// What two people compare.
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

    /// The safety number that a code's sender would have with me: to be asked of them when a key changed.
    public func safetyNumber(claimedBy code: ExchangeCode) throws(VaultError) -> SafetyNumber {
        let book = try book()
        return try asVaultError {
            try SafetyNumber(book.identity.publicKey, try book.claim(in: code).key)
        }
    }

    /// The user compared, and it matched.
    ///
    /// Trust goes to what was compared, not to the present holder of the name.
    ///
    /// - Throws: `conflict` if the contact was paired again or got another key while the user was looking.
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
