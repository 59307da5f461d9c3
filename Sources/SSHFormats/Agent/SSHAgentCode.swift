/// The numbers of messages between ssh and its agent (RFC 9987, OpenSSH's PROTOCOL.agent).
enum SSHAgentCode {
    // Replies
    static let failure: UInt8 = 5
    static let success: UInt8 = 6
    static let identities: UInt8 = 12
    static let signature: UInt8 = 14
    static let extensionFailure: UInt8 = 28
    static let extensionResponse: UInt8 = 29
    // Requests
    /// "Remove all" of the first protocol, which `ssh-add -D` still sends along.
    static let forgetOld: UInt8 = 9
    static let list: UInt8 = 11
    static let sign: UInt8 = 13
    static let add: UInt8 = 17
    static let remove: UInt8 = 18
    static let removeAll: UInt8 = 19
    /// Smartcards: refused, but their bodies hold a PIN.
    static let addCard: UInt8 = 20
    static let removeCard: UInt8 = 21
    static let lock: UInt8 = 22
    static let unlock: UInt8 = 23
    static let addConstrained: UInt8 = 25
    static let addCardConstrained: UInt8 = 26
    static let extended: UInt8 = 27

    /// Requests that carry a private key, a passphrase or a PIN.
    static let secret: Set<UInt8> = [
        add, addConstrained, addCard, removeCard, addCardConstrained, lock, unlock,
    ]

    static let bindExtension = "session-bind@openssh.com"
    static let queryExtension = "query"
}
