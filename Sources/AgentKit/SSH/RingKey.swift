internal import SSHFormats
internal import Synchronization
internal import VaultKit
internal import VaultPolicy

/// A key that the agent offers, and under which conditions; its secret is here only once it was used.
final class RingKey: Sendable {
    /// Where the secret comes from.
    enum Source: Sendable {
        /// The vault has it under this name.
        case vault(name: String)
        /// `ssh-add` added it; it is gone when the vault locks.
        case added
    }

    let source: Source
    /// The public half, with the comment.
    let publicKey: PublicKey
    /// What is listed of it: the plain key and certificates, or what `ssh-add` brought.
    let identities: [PublicKey]
    /// The first of them as a list shows it.
    var listed: SSHAgentReply.Identity { SSHAgentReply.Identity(identities[0]) }

    /// What a verdict looks at.
    let facts: KeyFacts
    /// Where it may be used, by keys of hosts, as `ssh-add -h` said it.
    let destinations: [DestinationConstraint]?
    /// Where it may be used, by names of hosts, as the vault says it; none for everywhere.
    let hosts: [String]
    /// The moment from which on it is not there any more, `BootTime`.
    let end: UInt64?
    /// The secret, one for a key and what is left of it under stricter conditions.
    private final class Secrecy: Sendable {
        let key = Mutex<PreparedKey?>(nil)
        /// The handle of a security key, if a program brought it.
        let handle = Mutex<PrivateKey?>(nil)
    }

    private let secrecy: Secrecy
    /// Under stricter conditions: the key as the program brought it.
    private let brought: RingKey?

    /// A key of the vault; `opened` is the moment at which the vault was opened.
    init(_ summary: KeySummary, certificates: [PublicKey], opened: UInt64) throws(SSHFormatError) {
        (secrecy, brought) = (Secrecy(), nil)
        source = .vault(name: summary.name)
        // A key too long to be listed has no bytes here; none that can sign is.
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

    /// A key that a program brings.
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

    /// A key that a program brought and the vault has, too: what either of them forbids, stays forbidden.
    private init(_ brought: RingKey, under own: KeySummary, opened: UInt64) {
        self.brought = brought
        secrecy = brought.secrecy
        (source, publicKey, identities) = (brought.source, brought.publicKey, brought.identities)
        facts = KeyFacts(
            // The rules that name the key of the vault name this one.
            name: own.name,
            fingerprint: brought.facts.fingerprint,
            needsConfirmation: brought.facts.needsConfirmation || own.use.needsConfirmation,
            namespaces: own.use.namespaces
        )
        (destinations, hosts) = (brought.destinations, own.use.hosts)
        let over = own.use.lifetime == 0 ? nil : opened + UInt64(own.use.lifetime)
        end = [brought.end, over].compactMap(\.self).min()
    }

    /// The same key under the conditions that a program brought it with and those that the vault knows.
    ///
    /// - Parameters:
    ///   - keys: those of the vault, also the ones that are not in use.
    ///   - opened: the moment at which the vault was opened, `BootTime`.
    /// - Returns: this key itself where its conditions stay the same, as those of a key of the vault do.
    func narrowed(by keys: [KeySummary], opened: UInt64) -> RingKey {
        guard case .added = source else { return self }
        let first = brought ?? self
        guard let own = keys.first(where: { $0.fingerprint == first.facts.fingerprint }) else { return first }
        let new = RingKey(first, under: own, opened: opened)
        return isSame(as: new) ? self : new
    }

    /// Whether it is the same key under the same conditions.
    func isSame(as other: RingKey) -> Bool {
        identities == other.identities && facts == other.facts && hosts == other.hosts && end == other.end
    }

    /// The key ready to sign, if its secret is here.
    var signer: PreparedKey? { secrecy.key.withLock { $0 } }

    /// The handle of a security key that a program brought, until `wipe`.
    var handle: PrivateKey? { secrecy.handle.withLock { $0 } }

    /// Keeps the secret until `wipe`.
    func keep(_ signer: PreparedKey) { secrecy.key.withLock { $0 = signer } }

    /// Lets go of the secret; a signature that is being made meanwhile still ends.
    func wipe() {
        secrecy.key.withLock { $0 = nil }
        secrecy.handle.withLock { $0 = nil }
    }

    /// Whether its time is over.
    func isOver(at moment: UInt64) -> Bool { end.map { $0 <= moment } ?? false }
}
