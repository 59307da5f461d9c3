internal import Audit
public import HSIP
internal import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// Identity and clock.
    static var identityOperations: [any AnyOperation] {
        [
            createIdentity, identity, setName, renewIdentity, revocationNotice, clockMark, setClockBack,
        ]
    }

    static let createIdentity = Operation(
        "identity.create",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.createIdentity(name: name)
    }
    static let identity = Operation.look("identity") {
        (vault: isolated Vault) throws(VaultError) in try vault.identity()
    }
    static let setName = Operation(
        "identity.set",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, name: String) throws(VaultError) in try vault.setName(name)
    }
    static let renewIdentity = Operation(
        "identity.renew",
        .decidesLater("end your identity and make a new one"),
        subjects: { .none },
        audit: .change
    ) {
        (vault: isolated Vault) throws(VaultError) in try vault.renewIdentity()
    }
    // Anyone who has the notice can end the identity.
    static let revocationNotice = Operation(
        "identity.revocation",
        .values("get the notice that revokes your identity"),
        subjects: { .none },
        audit: .read
    ) {
        (vault: isolated Vault) throws(VaultError) in try vault.revocationNotice()
    }
    static let clockMark = Operation.look("clock") {
        (vault: isolated Vault) throws(VaultError) -> ClockState in
        let (mark, isSuspect, delaysWiping) = try vault.clockMark()
        return ClockState(mark: mark, isSuspect: isSuspect, delaysWiping: delaysWiping)
    }
    static let setClockBack = Operation(
        "clock.set-back",
        .decidesLater("confirm that the clock is right"),
        subjects: { .none },
        audit: .change
    ) {
        (vault: isolated Vault) throws(VaultError) -> Nothing in
        try vault.setClockBack()
        return Nothing()
    }
}

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

    /// Ends the identity and makes a new one of the same name.
    public func renewIdentity() async throws -> IdentitySummary {
        try await perform(Operations.renewIdentity)
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
}

/// How far the clock is believed.
struct ClockState: Codable, Sendable {
    let mark: UInt64
    let isSuspect: Bool
    let delaysWiping: Bool
}
