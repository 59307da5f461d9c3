public import HSIP
public import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations on contacts and their verification.
    static var contactOperations: [any AnyOperation] {
        [
            contacts, contact, aliasOf, setContact, setSuite, removeContact, restoreContact, trustNewKey,
            comparison,
            safetyNumber, markVerified, ending, endingNamed, owner,
        ]
    }

    /// Lists all contacts, ordered by alias.
    public static let contacts = Operation.look("contacts") {
        (vault: isolated Vault, _: Caller, listing: Listing) in
        try vault.contacts(inTrash: listing == .trash)
    }
    /// Returns the contact with an alias.
    public static let contact = Operation.look("contact") {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.contact(alias)
    }
    /// Returns the alias of a PeerID.
    public static let aliasOf = Operation.look("contact.alias") {
        (vault: isolated Vault, _: Caller, peer: PeerID) in try vault.alias(of: peer)
    }
    /// Changes alias, note or the requirement of verification.
    public static let setContact = Operation(
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
        (vault: isolated Vault, _: Caller, alias: String, change: ContactChange) in
        try vault.setContact(alias, change)
    }
    /// Records whether a contact's program supports suite 02.
    public static let setSuite = Operation(
        "contact.set-suite",
        .trust("accept weaker keys from %1"),
        when: { _, suite in suite == .one },
        otherwise: .trust("expect stronger keys from %1"),
        subjects: { alias, _ in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, alias: String, suite: Suite) in
        try vault.setSuite(suite, of: alias)
    }
    /// Moves a contact to the trash.
    public static let removeContact = Operation(
        "contact.remove",
        .change,
        subjects: { alias in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.removeContact(alias)
    }
    /// Restores a contact from the trash.
    public static let restoreContact = Operation(
        "contact.restore",
        .change,
        subjects: { alias in .named(alias) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, alias: String) in
        try vault.restoreContact(alias)
    }
    /// Replaces the pinned key of a contact by the key in the contact's code.
    public static let trustNewKey = Operation(
        "contact.trust-new-key",
        .trust("change the trust in %1"),
        subjects: { alias, code, number in
            CallSubjects.named(alias).sent(by: code.sentBy).detailed(["Safety number: \(number)"])
        },
        audit: .replace
    ) {
        (vault: isolated Vault, _: Caller, alias: String, code: ExchangeCode, number: String)
        in
        try vault.trustNewKey(alias, from: code, expecting: number)
    }
    /// Returns the numbers that two people compare.
    public static let comparison = Operation.look("contact.compare") {
        (vault: isolated Vault, _: Caller, alias: String) in
        try vault.comparison(with: alias)
    }
    /// Returns the safety number that the sender of a code would have with this vault.
    public static let safetyNumber = Operation.look("contact.claimed-number") {
        (vault: isolated Vault, _: Caller, code: ExchangeCode) in
        try vault.safetyNumber(claimedBy: code)
    }
    /// Records that the user compared the numbers and they matched.
    public static let markVerified = Operation(
        "contact.verified",
        .trust("change the trust in %1"),
        subjects: { compared, _ in .named(compared.contact.alias) },
        audit: .trust
    ) {
        (vault: isolated Vault, _: Caller, compared: Comparison, how: Contact.Verification)
        in
        try vault.markVerified(compared, by: how)
    }
    /// Returns how the sessions with a contact ended.
    public static let ending = Operation.look("contact.ending") {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.ending(of: alias)
    }
    static let endingNamed = Operation.look("session.ending") {
        (vault: isolated Vault, _: Caller, code: ExchangeCode) -> NamedEnd? in
        try vault.ending(namedBy: code).map { NamedEnd(end: $0.end, alias: $0.alias) }
    }
    /// Finds the contact to whom an imported key belongs or belonged.
    public static let owner = Operation.look("session.key-owner") {
        (vault: isolated Vault, _: Caller, key: Secret) in try vault.owner(of: key)
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Finds the ended session that a ROTATE or ACCEPT still names, and its contact.
    public func ending(namedBy code: ExchangeCode) async throws -> (end: EndedSession, alias: String?)? {
        try await self(Operations.endingNamed, code).map { ($0.end, $0.alias) }
    }
}

/// An ended session, and the alias of its contact.
struct NamedEnd: Codable, Sendable {
    let end: EndedSession
    let alias: String?
}
