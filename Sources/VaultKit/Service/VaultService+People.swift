public import HSIP
public import VaultCrypto

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Makes the identity of the vault, once.
    @discardableResult
    public func createIdentity(name: String) async throws -> IdentitySummary {
        try await perform(Operations.createIdentity, name)
    }

    /// The identity of the vault.
    public func identity() async throws -> IdentitySummary { try await perform(Operations.identity) }

    /// Changes the name that new codes carry.
    public func setName(_ name: String) async throws -> IdentitySummary {
        try await perform(Operations.setName, name)
    }

    /// The notice that ends the identity.
    public func revocationNotice() async throws -> RevokeCode {
        try await perform(Operations.revocationNotice)
    }

    /// The clock mark, whether it makes the clock suspect, and whether wiping waits because the clock jumped.
    public func clockMark() async throws -> (mark: UInt64, isSuspect: Bool, delaysWiping: Bool) {
        let state = try await perform(Operations.clockMark)
        return (state.mark, state.isSuspect, state.delaysWiping)
    }

    /// Sets the clock mark back to the clock.
    public func setClockBack() async throws { _ = try await perform(Operations.setClockBack) }

    /// Everybody, ordered by alias.
    public func contacts(inTrash: Bool = false) async throws -> [ContactSummary] {
        try await perform(Operations.contacts, inTrash)
    }

    /// The contact that an alias names.
    public func contact(_ alias: String) async throws -> ContactSummary {
        try await perform(Operations.contact, alias)
    }

    /// The alias of a PeerID.
    public func alias(of peer: PeerID) async throws -> String? { try await perform(Operations.aliasOf, peer) }

    /// Changes alias, note or the demand for verification.
    public func setContact(_ alias: String, _ change: ContactChange) async throws -> Reply {
        try await perform(Operations.setContact, alias, change)
    }

    /// Puts somebody into the trash.
    public func removeContact(_ alias: String) async throws -> Reply {
        try await perform(Operations.removeContact, alias)
    }

    /// Takes somebody out of the trash.
    public func restoreContact(_ alias: String) async throws -> Reply {
        try await perform(Operations.restoreContact, alias)
    }

    /// Replaces the pinned key of a contact by the one in a code of theirs.
    public func trustNewKey(
        _ alias: String,
        from code: ExchangeCode,
        expecting number: String
    ) async throws -> Reply {
        try await perform(Operations.trustNewKey, alias, code, number)
    }

    /// What two people compare.
    public func comparison(with alias: String) async throws -> Comparison {
        try await perform(Operations.comparison, alias)
    }

    /// The safety number that a code's sender would have with me.
    public func safetyNumber(claimedBy code: ExchangeCode) async throws -> SafetyNumber {
        try await perform(Operations.safetyNumber, code)
    }

    /// The user compared, and it matched.
    public func markVerified(
        _ compared: Comparison,
        by how: Contact.Verification
    ) async throws -> Reply {
        try await perform(Operations.markVerified, compared, how)
    }

    /// How it ended with a contact.
    public func ending(of alias: String) async throws -> Contact.End? {
        try await perform(Operations.ending, alias)
    }

    /// The ended session that a ROTATE or ACCEPT still names, and whose it was.
    public func ending(namedBy code: ExchangeCode) async throws -> (end: EndedSession, alias: String?)? {
        try await perform(Operations.endingNamed, code).map { ($0.end, $0.alias) }
    }

    /// Whose imported key this is or was.
    public func owner(of key: Secret) async throws -> String? { try await perform(Operations.owner, key) }
}
