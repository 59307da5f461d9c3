internal import SSHFormats
internal import VaultCrypto
internal import VaultKit

extension KeyRing {
    /// The data from which requests are answered.
    struct Snapshot: Sendable {
        /// The vault of the snapshot.
        var vault: Vault { opened.vault }

        let opened: OpenVault
        let view: SSHView
        let book: HostBook
        let keys: [RingKey]
        /// The number of openings of the vault: a snapshot of an earlier opening is invalid.
        let epoch: UInt64
    }

    /// A key as it is listed, plain or as a certificate.
    struct Offer: Sendable {
        let key: RingKey
        let identity: PublicKey
    }

    struct Open {
        var snapshot: Snapshot { didSet { offers = nil } }
        let opened: UInt64
        var added: [RingKey] = [] { didSet { offers = nil } }
        /// The blobs that `ssh-add -d` removed until the vault is opened again.
        var hidden: Set<[UInt8]> = [] { didSet { offers = nil } }
        /// The offered keys, computed once from the other fields.
        var offers: Offers?
    }

    struct Offers: Sendable {
        var list: [Offer] = []
        var byBlob: [[UInt8]: Offer] = [:]
        /// The time when the first offered key expires.
        var end: UInt64?
    }

    struct State {
        var epoch: UInt64 = 0
        var open: Open?
        var lock: PassphraseLock?
        var failures: UInt64 = 0
    }
}

extension KeyRing.Open {
    /// Returns the offered keys at a moment.
    mutating func offers(at moment: UInt64) -> KeyRing.Offers {
        if let offers, offers.end.map({ moment < $0 }) ?? true { return offers }
        purge(at: moment)
        var (new, seen) = (KeyRing.Offers(), hidden)
        for key in added + snapshot.keys where !key.isOver(at: moment) {
            if let end = key.end { new.end = min(end, new.end ?? end) }
            for identity in key.identities where seen.insert(identity.blob).inserted {
                let offer = KeyRing.Offer(key: key, identity: identity)
                new.list.append(offer)
                new.byBlob[identity.blob] = offer
            }
        }
        offers = new
        return new
    }

    /// Applies the vault's current conditions to added keys that the vault also has.
    mutating func narrowAdded() {
        added = added.map { narrowed($0) }
    }

    func narrowed(_ key: RingKey) -> RingKey {
        key.narrowed(by: snapshot.view.keys + snapshot.view.idleKeys, opened: opened)
    }

    func has(_ key: RingKey, at moment: UInt64) -> Bool {
        guard !key.isOver(at: moment), !key.identities.allSatisfy({ hidden.contains($0.blob) }) else {
            return false
        }
        return added.contains { $0 === key } || snapshot.keys.contains { $0 === key }
    }

    mutating func purge(at moment: UInt64) {
        for key in snapshot.keys where key.isOver(at: moment) { key.wipe() }
        letGo { $0.isOver(at: moment) }
    }

    /// Wipes and removes some of the added keys.
    mutating func letGo(where isGone: (RingKey) -> Bool) {
        let gone = added.filter(isGone)
        guard !gone.isEmpty else { return }
        for key in gone { key.wipe() }
        added.removeAll(where: isGone)
    }

    func wipe() {
        for key in added + snapshot.keys { key.wipe() }
    }
}

/// The lock of `ssh-add -x`, which can recognise the passphrase but does not store it.
struct PassphraseLock: Sendable {
    private let salt: [UInt8]
    private let hash: Secret

    /// - Throws: `CryptoError.outOfMemory`.
    init(_ passphrase: Secret) throws(CryptoError) {
        salt = Entropy.system.bytes(PasswordHash.saltSize)
        hash = try Self.hash(passphrase, salt)
    }

    /// Whether the passphrase is the correct one.
    func opens(with passphrase: Secret) -> Bool {
        guard let other = try? Self.hash(passphrase, salt) else { return false }
        return ConstantTime.equal(hash, other)
    }

    private static func hash(_ passphrase: Secret, _ salt: [UInt8]) throws(CryptoError) -> Secret {
        Secret(
            try PasswordHash.derive(passphrase, salt: salt, parameters: PasswordHash.floor, count: 32)
        )
    }
}
