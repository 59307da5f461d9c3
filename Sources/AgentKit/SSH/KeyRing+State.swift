internal import SSHFormats
internal import VaultKit

extension KeyRing {
    /// What requests are answered from.
    struct Snapshot: Sendable {
        /// The vault that it was read from.
        var vault: Vault { opened.vault }

        let opened: OpenVault
        let view: SSHView
        let book: HostBook
        let keys: [RingKey]
        /// How often the vault was opened: what is from another time is worth nothing.
        let epoch: UInt64
    }

    /// A key as it is listed, plain or by a certificate.
    struct Offer: Sendable {
        let key: RingKey
        let identity: PublicKey
    }

    struct Open {
        var snapshot: Snapshot { didSet { offers = nil } }
        let opened: UInt64
        var added: [RingKey] = [] { didSet { offers = nil } }
        /// Blobs that `ssh-add -d` took out until the vault is opened again.
        var hidden: Set<[UInt8]> = [] { didSet { offers = nil } }
        /// What follows from the others, worked out once.
        var offers: Offers?
    }

    struct Offers: Sendable {
        var list: [Offer] = []
        var byBlob: [[UInt8]: Offer] = [:]
        /// When the first of them is over.
        var end: UInt64?
    }

    struct State {
        var epoch: UInt64 = 0
        var open: Open?
        var lock: PassphraseLock?
        var failures: UInt64 = 0
    }
}
