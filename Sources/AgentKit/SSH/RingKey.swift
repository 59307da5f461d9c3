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
        /// `ssh-add` lent it; it is gone when the vault locks.
        case lent
    }

    let source: Source
    /// The public half, with the comment.
    let publicKey: PublicKey
    /// What is listed of it: the plain key and certificates, or what `ssh-add` brought.
    let identities: [PublicKey]
    /// What a verdict looks at.
    let facts: KeyFacts
    /// Where it may be used, by keys of hosts, as `ssh-add -h` said it.
    let destinations: [DestinationConstraint]?
    /// Where it may be used, by names of hosts, as the vault says it; none for everywhere.
    let hosts: [String]
    /// The moment from which on it is not there any more, `BootTime`.
    let end: UInt64?
    private let prepared = Mutex<PreparedKey?>(nil)

    /// A key of the vault; `opened` is the moment at which the vault was opened.
    init(_ summary: KeySummary, certificates: [PublicKey], opened: UInt64) throws(SSHFormatError) {
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
        source = .lent
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
        let key = try PreparedKey(addition.key)
        prepared.withLock { $0 = key }
    }

    /// The key ready to sign, if its secret is here.
    var signer: PreparedKey? { prepared.withLock { $0 } }

    /// Keeps the secret at hand until `wipe`.
    func keep(_ signer: PreparedKey) { prepared.withLock { $0 = signer } }

    /// Lets go of the secret; a signature that is being made meanwhile still ends.
    func wipe() { prepared.withLock { $0 = nil } }

    /// Whether its time is over.
    func isOver(at moment: UInt64) -> Bool { end.map { $0 <= moment } ?? false }
}
