internal import HSIP
internal import VaultCrypto

/// The operations, one line of the table each.
enum Operations {
    /// Identity and contacts.
    static var people: [any AnyOperation] {
        [
            createIdentity, identity, setName, revocationNotice, clockMark, setClockBack, contacts, contact,
            aliasOf, setContact, removeContact, restoreContact, trustNewKey, comparison, safetyNumber,
            markVerified, ending, endingNamed, owner,
        ]
    }

    static let createIdentity = Operation("identity.create", .change, decidesLater: false) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.createIdentity(name: name)
    }
    static let identity = Operation("identity", .look) {
        (vault: isolated Vault) throws(VaultError) in try vault.identity()
    }
    static let setName = Operation("identity.set", .change, decidesLater: false) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.setName(name)
    }
    // Whoever has the notice can end the identity.
    static let revocationNotice = Operation("identity.revocation", .reveal) {
        (vault: isolated Vault) throws(VaultError) in try vault.revocationNotice()
    }
    static let clockMark = Operation("clock", .look) {
        (vault: isolated Vault) throws(VaultError) -> ClockState in
        let (mark, isSuspect, delaysWiping) = try vault.clockMark()
        return ClockState(mark: mark, isSuspect: isSuspect, delaysWiping: delaysWiping)
    }
    static let setClockBack = Operation("clock.set-back", .change, decidesLater: false) {
        (vault: isolated Vault) throws(VaultError) -> Nothing in
        try vault.setClockBack()
        return Nothing()
    }
    static let contacts = Operation("contacts", .look) {
        (vault: isolated Vault, inTrash: Bool) throws(VaultError) in try vault.contacts(inTrash: inTrash)
    }
    static let contact = Operation("contact", .look) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.contact(alias)
    }
    static let aliasOf = Operation("contact.alias", .look) {
        (vault: isolated Vault, peer: PeerID) throws(VaultError) in try vault.alias(of: peer)
    }
    static let setContact = Operation("contact.set", .change) {
        (vault: isolated Vault, alias: String, change: ContactChange) throws(VaultError) in
        try vault.setContact(alias, change)
    }
    static let removeContact = Operation("contact.remove", .change, decidesLater: false) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.removeContact(alias)
    }
    static let restoreContact = Operation("contact.restore", .change, decidesLater: false) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.restoreContact(alias)
    }
    static let trustNewKey = Operation("contact.trust-new-key", .trust, decidesLater: false) {
        (vault: isolated Vault, alias: String, code: ExchangeCode, number: String) throws(VaultError) in
        try vault.trustNewKey(alias, from: code, expecting: number)
    }
    static let comparison = Operation("contact.compare", .look) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.comparison(with: alias)
    }
    static let safetyNumber = Operation("contact.claimed-number", .look) {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) in
        try vault.safetyNumber(claimedBy: code)
    }
    static let markVerified = Operation("contact.verified", .trust, decidesLater: false) {
        (vault: isolated Vault, compared: Comparison, how: Contact.Verification) throws(VaultError) in
        try vault.markVerified(compared, by: how)
    }
    static let ending = Operation("contact.ending", .look) {
        (vault: isolated Vault, alias: String) throws(VaultError) in try vault.ending(of: alias)
    }
    static let endingNamed = Operation("session.ending", .look) {
        (vault: isolated Vault, code: ExchangeCode) throws(VaultError) -> NamedEnd? in
        try vault.ending(namedBy: code).map { NamedEnd(end: $0.end, alias: $0.alias) }
    }
    static let owner = Operation("session.key-owner", .look) {
        (vault: isolated Vault, key: Secret) throws(VaultError) in try vault.owner(of: key)
    }
}

/// Pairs that an operation answers.
struct ClockState: Codable, Sendable {
    let mark: UInt64
    let isSuspect: Bool
    let delaysWiping: Bool
}

struct NamedEnd: Codable, Sendable {
    let end: EndedSession
    let alias: String?
}
