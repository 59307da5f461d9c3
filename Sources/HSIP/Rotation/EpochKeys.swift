public import VaultCrypto

/// One side's keys of one epoch; each is wiped as soon as it is not needed any more.
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

    /// Stored keys.
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

    /// Whether the receive key is present.
    public var canReceive: Bool { receive != nil }

    /// Whether chain and rotation key are present.
    public var canRotate: Bool { chain != nil && rotate != nil }

    /// Drops the send keys and the chain.
    public mutating func retire() {
        send = nil
        sendNonce = nil
        chain = nil
    }

    /// Drops the receive key and the send keys.
    public mutating func endReceiving() {
        receive = nil
        send = nil
        sendNonce = nil
    }

    /// Drops all keys.
    public mutating func endChain() {
        endReceiving()
        rotate = nil
        chain = nil
    }
}

/// A replaced epoch: it still opens late messages during the grace time, but seals nothing.
public struct PastEpoch<Scheme: RotationScheme>: Sendable {
    /// The epoch with its remaining keys.
    public var epoch: Epoch<Scheme>
    /// Whether I accepted the ACCEPT; then the peer may use this epoch until my first message arrives.
    public let wasInitiator: Bool
    /// When I switched away, Unix seconds.
    public let switchedAt: UInt64
    /// When the peer was first seen under a later epoch, Unix seconds.
    public var peerSeenPast: UInt64?

    /// A past epoch, new or stored.
    public init(epoch: Epoch<Scheme>, wasInitiator: Bool, switchedAt: UInt64, peerSeenPast: UInt64? = nil) {
        self.epoch = epoch
        self.wasInitiator = wasInitiator
        self.switchedAt = switchedAt
        self.peerSeenPast = peerSeenPast
    }

    /// Whether the grace time is running, so that only time keeps the epoch (rule 6).
    public var mayEnd: Bool { !wasInitiator || peerSeenPast != nil }

    /// When the grace time ends (rule 6).
    ///
    /// As responder, it starts at the promotion. As initiator, it starts at the first sign that the peer uses a later
    /// epoch, at the latest at the natural end of this one. A plain timer would lose messages of a silent peer.
    public var graceEnd: UInt64 {
        guard wasInitiator else { return switchedAt + Moment.grace }
        return min(peerSeenPast ?? .max - Moment.grace, epoch.end) + Moment.grace
    }
}

/// Epoch n+1 as its responder holds it: ready to receive, not yet in use.
public struct PreparedEpoch<Scheme: RotationScheme>: Sendable {
    /// The new epoch.
    public var epoch: Epoch<Scheme>
    /// The ACCEPT, kept so that showing it again never makes another key.
    public let accept: Scheme.Accept
    /// The ROTATE it answers.
    public let rotateName: Scheme.RotateName
    /// The attempt of that ROTATE: its rank against others.
    public let attempt: UInt16

    /// A prepared epoch, fresh or as it was stored.
    public init(
        epoch: Epoch<Scheme>,
        accept: Scheme.Accept,
        rotateName: Scheme.RotateName,
        attempt: UInt16
    ) {
        self.epoch = epoch
        self.accept = accept
        self.rotateName = rotateName
        self.attempt = attempt
    }
}

/// My own ROTATE that waits for its ACCEPT.
public struct RotationAttempt<Scheme: RotationScheme>: Sendable {
    /// The code, shown again as it is.
    public let rotate: Scheme.Rotate
    /// Its one-time secret.
    public let ephemeral: Scheme.Ephemeral

    /// An attempt, fresh or as it was stored.
    public init(rotate: Scheme.Rotate, ephemeral: Scheme.Ephemeral) {
        self.rotate = rotate
        self.ephemeral = ephemeral
    }
}
