internal import HSIP
internal import Secrets
internal import VaultPolicy

extension Operations {
    /// The operations on secrets that are shared with contacts.
    static var giftOperations: [any AnyOperation] { [sendGift, takeGift, tryGift, withdrawGift, gifts] }

    private static let session = ApprovalQuestion("use the session with %1", nameless: "use a session")

    /// Seals a secret for a contact.
    public static let sendGift = Operation(
        "secret.send",
        .values("send the secret %1 to %2"),
        subjects: { request in
            CallSubjects.named(request.name, request.contact).detailed(request.details)
        },
        audit: .read
    ) {
        (vault: isolated Vault, _: Caller, request: GiftRequest) in
        try vault.sendGift(request)
    }
    /// Accepts a secret that a contact sent.
    public static let takeGift = Operation(
        "secret.receive",
        .change,
        subjects: { acceptance in .named(acceptance.name).sent(by: acceptance.sender) },
        audit: .change
    ) {
        (vault: isolated Vault, _: Caller, acceptance: GiftAcceptance) in
        try vault.takeGift(acceptance)
    }
    /// Returns the result that accepting a secret would have.
    public static let tryGift = Operation(
        "secret.receive-trial",
        .use(session),
        subjects: { acceptance in .named(acceptance.name).sent(by: acceptance.sender) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, acceptance: GiftAcceptance) in
        try vault.tryGift(acceptance)
    }
    /// Asks a contact to remove a shared secret.
    public static let withdrawGift = Operation(
        "secret.withdraw",
        .use(ApprovalQuestion("withdraw the secret %1 from %2", nameless: "withdraw a secret")),
        subjects: { name, alias in .named(name, alias) },
        audit: .use
    ) {
        (vault: isolated Vault, _: Caller, name: String, alias: String) in
        try vault.withdrawGift(name, from: alias)
    }
    /// Lists the secrets shared with contacts and by contacts.
    public static let gifts = Operation.look("secret.gifts") {
        (vault: isolated Vault, _: Caller, alias: String?, name: String?) in
        try vault.gifts(of: alias, secret: name)
    }
}

extension GiftRequest {
    /// Lines for the approval question.
    fileprivate var details: [String] {
        let hasTOTP = fields.isEmpty ? includesTOTP : fields.contains(CredentialField.totp)
        return (hasTOTP ? ["Includes the key of one-time passwords, if the secret has one"] : [])
            + (allowsUnverified ? ["The contact may not be verified yet"] : [])
    }
}
