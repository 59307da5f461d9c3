internal import SSHFormats
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// A key that the agent offers, and its conditions; its secret is in memory only after its first use.
final class RingKey: Sendable {
    /// The source of the secret.
    enum Source: Sendable {
        /// The vault has the key under this name.
        case vault(name: String)
        /// `ssh-add` added the key; it is removed when the vault locks.
        case added
    }

    let source: Source
    /// The public half, with the comment.
    let publicKey: PublicKey
    /// The listed identities: the plain key and certificates, or the identity that `ssh-add` sent.
    let identities: [PublicKey]
    /// The first identity as a list shows it.
    var listed: SSHAgentReply.Identity { SSHAgentReply.Identity(identities[0]) }

    /// The facts for a decision.
    let facts: KeyFacts
    /// The permitted destinations by host keys, as set with `ssh-add -h`.
    let destinations: [DestinationConstraint]?
    /// The permitted hosts by name, as set in the vault; empty for all.
    let hosts: [String]
    /// The moment from which the key has expired (`BootTime`).
    let end: UInt64?
    /// The secret, shared by a key and its narrowed copies.
    private final class Secrecy: Sendable {
        let key = Mutex<PreparedKey?>(nil)
        /// The handle of a security key, if a program added it.
        let handle = Mutex<PrivateKey?>(nil)
    }

    private let secrecy: Secrecy
    /// For a narrowed key: the key as the program added it.
    private let brought: RingKey?

    /// Creates a key of the vault; `opened` is the moment when the vault was opened.
    init(_ summary: KeySummary, certificates: [PublicKey], opened: UInt64) throws(SSHFormatError) {
        (secrecy, brought) = (Secrecy(), nil)
        source = .vault(name: summary.name)
        // A key that is too long for a list has no bytes here; such a key cannot sign anyway.
        publicKey = try PublicKey(blob: summary.blob, comment: summary.comment)
        identities = [publicKey] + certificates
        facts = KeyFacts(
            name: summary.name,
            fingerprint: summary.fingerprint,
            needsConfirmation: summary.use.needsConfirmation,
            namespaces: summary.use.namespaces
        )
        destinations = nil
        hosts = summary.use.hosts
        end = summary.use.lifetime == 0 ? nil : opened + UInt64(summary.use.lifetime)
    }

    /// Creates a key that a program adds.
    init(_ addition: SSHAgentAddition, at moment: UInt64) throws(SSHFormatError) {
        (secrecy, brought) = (Secrecy(), nil)
        source = .added
        publicKey = addition.key.publicKey
        let shown = addition.certificate.map { certificate in
            var shown = certificate
            shown.comment = addition.key.comment
            return shown
        }
        identities = [shown ?? publicKey]
        facts = KeyFacts(
            name: String(decoding: publicKey.comment, as: UTF8.self),
            fingerprint: publicKey.fingerprint.description,
            needsConfirmation: addition.needsConfirmation,
            namespaces: nil
        )
        destinations = addition.destinations
        hosts = []
        end = addition.lifetime.map { moment + UInt64($0) }
        guard !addition.key.isHandle else {
            secrecy.handle.withLock { $0 = addition.key }
            return
        }
        let key = try PreparedKey(addition.key)
        secrecy.key.withLock { $0 = key }
    }

    /// Creates a narrowed key that a program added and the vault also has: the restrictions of both apply.
    private init(_ brought: RingKey, under own: KeySummary, opened: UInt64) {
        self.brought = brought
        secrecy = brought.secrecy
        (source, publicKey, identities) = (brought.source, brought.publicKey, brought.identities)
        facts = KeyFacts(
            // Rules that name the vault's key apply to this key.
            name: own.name,
            fingerprint: brought.facts.fingerprint,
            needsConfirmation: brought.facts.needsConfirmation || own.use.needsConfirmation,
            namespaces: own.use.namespaces
        )
        (destinations, hosts) = (brought.destinations, own.use.hosts)
        let over = own.use.lifetime == 0 ? nil : opened + UInt64(own.use.lifetime)
        end = [brought.end, over].compactMap(\.self).min()
    }

    /// Returns the key with the restrictions of its program and those of the vault.
    ///
    /// - Parameters:
    /// - keys: the keys of the vault, including those that are not in use.
    /// - opened: the moment when the vault was opened (`BootTime`).
    /// - Returns: this key itself if its restrictions do not change, as for a key of the vault.
    func narrowed(by keys: [KeySummary], opened: UInt64) -> RingKey {
        guard case .added = source else { return self }
        let first = brought ?? self
        guard let own = keys.first(where: { $0.fingerprint == first.facts.fingerprint }) else { return first }
        let new = RingKey(first, under: own, opened: opened)
        return isSame(as: new) ? self : new
    }

    /// Whether both are the same key with the same restrictions.
    func isSame(as other: RingKey) -> Bool {
        identities == other.identities && facts == other.facts && hosts == other.hosts && end == other.end
    }

    /// The key prepared for signing, if its secret is in memory.
    var signer: PreparedKey? { secrecy.key.withLock { $0 } }

    /// The handle of an added security key, until `wipe`.
    var handle: PrivateKey? { secrecy.handle.withLock { $0 } }

    /// Stores the secret until `wipe`.
    func keep(_ signer: PreparedKey) { secrecy.key.withLock { $0 = signer } }

    /// Removes the secret; a running signature still completes.
    func wipe() {
        secrecy.key.withLock { $0 = nil }
        secrecy.handle.withLock { $0 = nil }
    }

    /// Whether the key has expired.
    func isOver(at moment: UInt64) -> Bool { end.map { $0 <= moment } ?? false }
}
