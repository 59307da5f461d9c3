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

    /// All contacts, ordered by alias.
    public static let contacts = Operation.look("contacts") {
        (vault: isolated Vault, _: Caller, listing: Listing) in
        try vault.contacts(inTrash: listing == .trash)
    }
    /// The contact that an alias names.
    public static let contact = Operation.look("contact") {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.contact(alias)
    }
    /// The alias of a PeerID.
    public static let aliasOf = Operation.look("contact.alias") {
        (vault: isolated Vault, _: Caller, peer: PeerID) in try vault.alias(of: peer)
    }
    /// Changes alias, note or the demand for verification.
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
    /// Says whether a contact's program knows suite 02.
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
    /// Puts a contact into the trash.
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
    /// Replaces the pinned key of a contact by the one in a code of theirs.
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
    /// What two people compare.
    public static let comparison = Operation.look("contact.compare") {
        (vault: isolated Vault, _: Caller, alias: String) in
        try vault.comparison(with: alias)
    }
    /// The safety number that a code's sender would have with me.
    public static let safetyNumber = Operation.look("contact.claimed-number") {
        (vault: isolated Vault, _: Caller, code: ExchangeCode) in
        try vault.safetyNumber(claimedBy: code)
    }
    /// The user compared, and it matched.
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
    /// How it ended with a contact.
    public static let ending = Operation.look("contact.ending") {
        (vault: isolated Vault, _: Caller, alias: String) in try vault.ending(of: alias)
    }
    static let endingNamed = Operation.look("session.ending") {
        (vault: isolated Vault, _: Caller, code: ExchangeCode) -> NamedEnd? in
        try vault.ending(namedBy: code).map { NamedEnd(end: $0.end, alias: $0.alias) }
    }
    /// Whose imported key this is or was.
    public static let owner = Operation.look("session.key-owner") {
        (vault: isolated Vault, _: Caller, key: Secret) in try vault.owner(of: key)
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// The ended session that a ROTATE or ACCEPT still names, and whose it was.
    public func ending(namedBy code: ExchangeCode) async throws -> (end: EndedSession, alias: String?)? {
        try await self(Operations.endingNamed, code).map { ($0.end, $0.alias) }
    }
}

/// An ended session, and whose it was.
struct NamedEnd: Codable, Sendable {
    let end: EndedSession
    let alias: String?
}
