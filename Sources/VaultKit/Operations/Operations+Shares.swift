internal import VaultPolicy

extension Operations {
    /// The operations on the shares of a recovery secret, which contacts keep.
    static var shareOperations: [any AnyOperation] { [sendShares, shares, shareParcel, forgetShares] }

    private static let again = ApprovalQuestion(
        "show the encrypted share of %1 again",
        nameless: "show an encrypted share again"
    )

    /// Seals shares of a recovery secret for contacts.
    public static let sendShares = Operation(
        "shares.send",
        .values("send %1 a share of the secret that opens this vault"),
        subjects: { request in
            CallSubjects.named(request.holders.map(\.contact)).detailed(request.details)
        },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, request: ShareRequest) in
        try vault.sendShares(request)
    }
    /// Lists which contacts have which shares.
    public static let shares = Operation.look("shares") {
        (vault: isolated Vault, _: Caller) in try vault.shares()
    }
    /// Returns the parcel of a contact's share, as it was sealed.
    public static let shareParcel = Operation(
        "shares.parcel",
        .use(again),
        subjects: { _, alias in .named(alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, identifier: UInt16, alias: String) in
        try vault.shareParcel(identifier, for: alias)
    }
    /// Forgets the parcels of shares that no longer open anything.
    public static let forgetShares = Operation(
        "shares.forget",
        .change,
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, identifier: UInt16, areHeld: Bool) -> Nothing in
        try vault.forgetShares(identifier, areHeld: areHeld)
        return Nothing()
    }
}

extension ShareRequest {
    /// Lines for the approval question.
    fileprivate var details: [String] {
        [
            "Any \(threshold) of these people can open this vault: "
                + holders.map(\.contact).joined(separator: ", ")
        ]
    }
}
