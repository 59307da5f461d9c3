internal import Audit
public import HSIP
public import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// People, and how far each is believed.
    static var contactOperations: [any AnyOperation] {
        [
            contacts, contact, aliasOf, setContact, removeContact, restoreContact, trustNewKey, comparison,
            safetyNumber, markVerified, ending, endingNamed, owner,
        ]
    }

    static let contacts = Operation.look("contacts") {
        (vault: isolated Vault, inTrash: Bool) throws(VaultError) in try vault.contacts(inTrash: inTrash)
    }
    static let contact = Operation.look("contact") {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.contact(alias)
    }
    static let aliasOf = Operation.look("contact.alias") {
        (vault: isolated Vault, peer: PeerID) throws(VaultError) in try vault.alias(of: peer)
    }
    static let setContact = Operation(
        "contact.set",
        .decidesLater("change the settings of the contact %1"),
        when: { alias, change in change.alias == nil || change.alias == alias },
        otherwise: .decidesLater("rename the contact %1 to %2, and change its settings"),
        subjects: { alias, change in
            let isRequired = change.requiresVerification.map {
                $0
                    ? "hsip then sends nothing before you verify the contact"
                    : "hsip then sends messages before you verify the contact"
            }
            let note = change.note.map { "Note: \($0)" }
            return CallSubjects.named(alias, change.alias).detailed([isRequired, note].compactMap(\.self))
        },
        audit: .change
    ) {
        (vault: isolated Vault, alias: String, change: ContactChange) throws(VaultError) in
        try vault.setContact(alias, change)
    }
    static let removeContact = Operation(
        "contact.remove",
        .change,
        subjects: { alias in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.removeContact(alias)
    }
    static let restoreContact = Operation(
        "contact.restore",
        .change,
        subjects: { alias in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.restoreContact(alias)
    }
    static let trustNewKey = Operation(
        "contact.trust-new-key",
        .trust("change the trust in %1"),
        subjects: { alias, code, number in
            CallSubjects.named(alias).sent(by: code.sentBy).detailed(["Safety number: \(number)"])
        },
        audit: .replace
    ) {
        (vault: isolated Vault, alias: String, code: ExchangeCode, number: String) throws(VaultError) in
        try vault.trustNewKey(alias, from: code, expecting: number)
    }
    static let comparison = Operation.look("contact.compare") {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.comparison(with: alias)
    }
    static let safetyNumber = Operation.look("contact.claimed-number") {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) in
        try vault.safetyNumber(claimedBy: code)
    }
    static let markVerified = Operation(
        "contact.verified",
        .trust("change the trust in %1"),
        subjects: { compared, _ in .named(compared.contact.alias) },
        audit: .trust
    ) {
        (vault: isolated Vault, compared: Comparison, how: Contact.Verification) throws(VaultError) in
        try vault.markVerified(compared, by: how)
    }
    static let ending = Operation.look("contact.ending") {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.ending(of: alias)
    }
    static let endingNamed = Operation.look("session.ending") {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) -> NamedEnd? in
        try vault.ending(namedBy: code).map { NamedEnd(end: $0.end, alias: $0.alias) }
    }
    static let owner = Operation.look("session.key-owner") {
        (vault: isolated Vault, key: Secret) throws(VaultError) in try vault.owner(of: key)
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// All contacts, ordered by alias.
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

    /// Puts a contact into the trash.
    public func removeContact(_ alias: String) async throws -> Reply {
        try await perform(Operations.removeContact, alias)
    }

    /// Takes a contact out of the trash.
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

/// An ended session, and whose it was.
struct NamedEnd: Codable, Sendable {
    let end: EndedSession
    let alias: String?
}
