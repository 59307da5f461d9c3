public import HSIP
internal import RecordStore

extension Vault {
    /// Creates the identity of this vault, once, and the notice that can end it.
    ///
    /// - Throws: `identityExists`; `malformed` for a name that codes cannot contain.
    @discardableResult
    public func createIdentity(name: String) throws(VaultError) -> IdentitySummary {
        let now = now()
        return try asVaultError {
            let identity = try Identity.make(name: name, entropy: entropy, wallClock: now)
            let id = try HSIPRecords.id(of: .identity)
            let draft = RecordDraft(
                id: id,
                label: "HSIP identity",
                body: try RecordContent.encode(identity)
            )
            _ = try committing {
                try reading { reader in
                    guard !(try reader.has(id)) else { throw VaultError.identityExists }
                    var changes = ChangeSet(floor: reader.floor)
                    // From now on at the latest, the vault notices a clock that jumps.
                    if let clock = try reader.clockChange(at: now) { changes.changes.append(clock) }
                    changes.put(draft, expecting: 0)
                    return ((), changes)
                }
            }
            return IdentitySummary(identity)
        }
    }

    /// The identity of this vault; `noIdentity` if there is none yet.
    public func identity() throws(VaultError) -> IdentitySummary {
        IdentitySummary(try book(.identity).identity)
    }

    /// Changes the name that new codes contain.
    public func setName(_ name: String) throws(VaultError) -> IdentitySummary {
        IdentitySummary(try perform(.all) { _ in .setName(name) }.book.identity)
    }

    /// Ends the identity and makes a new identity with the same name; every session ends, and open offers close.
    ///
    /// Contacts trust the old identity until they accept its notice. Call `revocationNotice()` before, to get the notice.
    ///
    /// - Throws: `hsip(.clockSuspect)` while the clock is behind its mark.
    public func renewIdentity() throws(VaultError) -> IdentitySummary {
        IdentitySummary(try perform(.all) { _ in .renewIdentity }.book.identity)
    }

    /// Returns the REVOKE that was made with the identity; anyone who has it can revoke the identity.
    public func revocationNotice() throws(VaultError) -> RevokeCode {
        try book(.identity).identity.revocation
    }

    /// The clock mark, whether it makes the clock suspect, and whether wiping waits because the clock jumped.
    public func clockMark() throws(VaultError) -> (mark: UInt64, isSuspect: Bool, delaysWiping: Bool) {
        let loaded = try load(.identity, wallClock: now())
        if let damaged = loaded.damaged.first { throw .store(.tampered(damaged.tampered)) }
        let clock = loaded.book.clock
        return (
            clock.mark, clock.isSuspect(wallClock: now()), clock.delaysWiping(wallClock: now())
        )
    }

    /// Sets the clock mark back to the clock; only call it after a person confirmed that the clock is right.
    public func setClockBack() throws(VaultError) {
        _ = try perform(.all) { _ in .setClockBack }
    }
}

/// The facts about the identity that may be shown.
public struct IdentitySummary: Sendable, Hashable, Codable {
    /// The name in the codes of this vault.
    public let name: String
    /// The BLAKE3 hash of the public key.
    public let peerID: PeerID
    /// The Ed25519 public key, 32 bytes.
    public let publicKey: [UInt8]
    /// When the identity was made, Unix seconds.
    public let created: UInt64

    init(_ identity: Identity) {
        name = identity.name
        peerID = identity.peerID
        publicKey = identity.publicKey
        created = identity.created
    }
}
