public import VaultCrypto

/// The keys of one epoch as one side holds them; each is gone as soon as its use is over.
public struct EpochKeys: EpochKeyring {
    /// Seals what I send.
    public var send: Secret?
    /// Hedges the nonces of what I send.
    public var sendNonce: Secret?
    /// Opens what the peer sends.
    public var receive: Secret?
    /// MACs of ROTATE and of a session's REVOKE.
    public var rotate: Secret?
    /// Goes into the keys of the next epoch.
    public var chain: Secret?

    /// Keys as they were stored.
    public init(send: Secret?, sendNonce: Secret?, receive: Secret?, rotate: Secret?, chain: Secret?) {
        self.send = send
        self.sendNonce = sendNonce
        self.receive = receive
        self.rotate = rotate
        self.chain = chain
    }

    /// The keys of a new epoch for one role: the offerer sends with i2r, the answerer with r2i, in every epoch.
    public init(_ secrets: EpochSecrets, role: Role) {
        send = secrets.messageKey(from: role)
        sendNonce = secrets.nonceKey(of: role)
        receive = secrets.messageKey(from: role.peer)
        rotate = secrets.rotate
        chain = secrets.chain
    }

    /// The receive key is there.
    public var canReceive: Bool { receive != nil }

    /// Chain and rotation key are there.
    public var canRotate: Bool { chain != nil && rotate != nil }

    /// Drops the send keys and the chain.
    public mutating func retire() {
        send = nil
        sendNonce = nil
        chain = nil
    }

    /// Drops the receive key, too.
    public mutating func endReceiving() {
        receive = nil
        send = nil
        sendNonce = nil
    }

    /// Drops everything.
    public mutating func endChain() {
        endReceiving()
        rotate = nil
        chain = nil
    }
}
