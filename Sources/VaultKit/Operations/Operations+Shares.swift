internal import Audit
internal import VaultPolicy

extension Operations {
    /// Shares of a recovery secret, which contacts hold.
    static var shareOperations: [any AnyOperation] { [sendShares, shares, shareParcel, forgetShares] }

    private static let again = ApprovalQuestion(
        "show the encrypted share of %1 again",
        nameless: "show an encrypted share again"
    )

    static let sendShares = Operation(
        "shares.send",
        .values("send %1 a share of the secret that opens this vault"),
        subjects: { request in
            CallSubjects.named(request.holders.map(\.contact)).detailed(request.details)
        },
        audit: .read
    ) {
        (vault: isolated Vault, request: ShareRequest) throws(VaultError) in try vault.sendShares(request)
    }
    static let shares = Operation.look("shares") {
        (vault: isolated Vault) throws(VaultError) in try vault.shares()
    }
    static let shareParcel = Operation(
        "shares.parcel",
        .use(again),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, identifier: UInt16, alias: String) throws(VaultError) in
        try vault.shareParcel(identifier, for: alias)
    }
    static let forgetShares = Operation(
        "shares.forget",
        .change,
        subjects: { _, _ in .none },
        audit: .change
    ) {
        (vault: isolated Vault, identifier: UInt16, areHeld: Bool) throws(VaultError) -> Nothing in
        try vault.forgetShares(identifier, areHeld: areHeld)
        return Nothing()
    }
}

extension ShareRequest {
    /// What a person must see before they say yes.
    fileprivate var details: [String] {
        [
            "Any \(threshold) of these people can open this vault: "
                + holders.map(\.contact).joined(separator: ", ")
        ]
    }
}

// What each does and refuses is said at the method of the same name on `Vault`.

extension VaultService {
    /// Seals shares of a recovery secret for contacts.
    public func sendShares(_ request: ShareRequest) async throws -> [SentGift] {
        try await perform(Operations.sendShares, request)
    }

    /// Which shares went to which contacts.
    public func shares() async throws -> [SharesSummary] { try await perform(Operations.shares) }

    /// The parcel of a contact's share, as it was sealed.
    public func shareParcel(_ identifier: UInt16, for alias: String) async throws -> [UInt8] {
        try await perform(Operations.shareParcel, identifier, alias)
    }

    /// Forgets the parcels of shares that open nothing any more.
    public func forgetShares(_ identifier: UInt16, areHeld: Bool) async throws {
        _ = try await perform(Operations.forgetShares, identifier, areHeld)
    }
}
