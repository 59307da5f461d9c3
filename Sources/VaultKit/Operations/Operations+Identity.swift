public import HSIP
internal import VaultCrypto
internal import VaultPolicy

extension Operations {
    /// The operations on the identity and the clock.
    static var identityOperations: [any AnyOperation] {
        [
            createIdentity, identity, setName, renewIdentity, revocationNotice, clockMark, setClockBack,
        ]
    }

    /// Creates the identity of the vault, once.
    public static let createIdentity = Operation(
        "identity.create",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in
        try vault.createIdentity(name: name)
    }
    /// Returns the identity of the vault.
    public static let identity = Operation.look("identity") {
        (vault: isolated Vault, _: Caller) in try vault.identity()
    }
    /// Changes the name that new codes contain.
    public static let setName = Operation(
        "identity.set",
        .change,
        subjects: { name in .named(name) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, name: String) in try vault.setName(name)
    }
    /// Ends the identity and makes a new identity with the same name.
    public static let renewIdentity = Operation(
        "identity.renew",
        .decidesLater("end your identity and make a new one"),
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller) in try vault.renewIdentity()
    }
    // Anyone who has the notice can revoke the identity.
    /// Returns the notice that revokes the identity.
    public static let revocationNotice = Operation(
        "identity.revocation",
        .values("get the notice that revokes your identity"),
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller) in try vault.revocationNotice()
    }
    static let clockMark = Operation.look("clock") {
        (vault: isolated Vault, _: Caller) -> ClockState in
        let (mark, isSuspect, delaysWiping) = try vault.clockMark()
        return ClockState(mark: mark, isSuspect: isSuspect, delaysWiping: delaysWiping)
    }
    /// Sets the clock mark back to the clock.
    public static let setClockBack = Operation(
        "clock.set-back",
        .decidesLater("confirm that the clock is right"),
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller) -> Nothing in
        try vault.setClockBack()
        return Nothing()
    }
}

// The methods of the same names on `Vault` document the behaviour and the errors.

extension VaultService {
    /// Reads the clock mark, whether it makes the clock suspect, and whether wiping waits because the clock jumped.
    public func clockMark() async throws -> (mark: UInt64, isSuspect: Bool, delaysWiping: Bool) {
        let state = try await self(Operations.clockMark)
        return (state.mark, state.isSuspect, state.delaysWiping)
    }
}

/// The clock mark, and whether the clock is trusted.
struct ClockState: Codable, Sendable {
    let mark: UInt64
    let isSuspect: Bool
    let delaysWiping: Bool
}
