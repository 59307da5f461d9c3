internal import HSIP
internal import SSHFormats
internal import Secrets
package import VaultKit

/// An item that an older copy of the vault still exposes to a person who can open the copy.
///
/// The item was not replaced after the copy was made.
package struct ExposedItem: Equatable, Sendable {
    /// The kind of the item.
    package enum Kind: String, CaseIterable, Sendable {
        case identity, session, offer, sshKey, secret, oneTimeKey
    }

    package let kind: Kind
    /// The name in the vault; for a session or an offer, the name of the contact.
    package let name: String
    package var user: String?
    /// The address, without any part that may be secret.
    package var url: String?
    /// Since when the item has been unchanged, Unix seconds; nil if the vault does not know.
    package let since: UInt64?
}

/// The facts about an older copy of a vault that tell old items from new ones.
package struct OlderCopy: Sendable {
    /// The time of the copy, Unix seconds; the copy has no item that was made later.
    package let time: UInt64
    /// The epochs of the sessions in the copy; nil if the copy is not available.
    let epochs: [PairingID: UInt32]?

    /// Describes a copy only by the time when it was made, Unix seconds.
    package init(time: UInt64) {
        self.time = time
        epochs = nil
    }

    /// Describes a copy that is available and open.
    ///
    /// - Parameters:
    ///   - time: When the newest of its records was written, Unix seconds.
    ///   - vault: The copy, opened.
    /// - Throws: what reading it throws.
    package init(time: UInt64, _ vault: any VaultService) async throws {
        self.time = time
        var epochs: [PairingID: UInt32] = [:]
        for session in try await vault(Operations.sessions) { epochs[session.pairing] = session.epoch }
        self.epochs = epochs
    }

    /// The items of the copy that were not renewed: names, users and addresses, never a value.
    ///
    /// Items in the trash are left out, because they are not in use here.
    ///
    /// - Throws: what reading the vault throws.
    package func exposed(in vault: any VaultService) async throws -> [ExposedItem] {
        var items: [ExposedItem] = []
        do {
            let identity = try await vault(Operations.identity)
            if identity.created <= time {
                items.append(ExposedItem(kind: .identity, name: identity.name, since: identity.created))
            }
            for session in try await vault(Operations.sessions) where holds(session) {
                items.append(ExposedItem(kind: .session, name: session.alias, since: Self.begin(of: session)))
            }
            for offer in try await vault.openOffers() where offer.code.header.issued <= time {
                let issued = offer.code.header.issued
                items.append(ExposedItem(kind: .offer, name: offer.contact ?? "", since: issued))
            }
        } catch VaultError.noIdentity {}
        for key in try await vault(Operations.sshKeys, .kept)
        where key.state == .active && key.created <= time {
            items.append(ExposedItem(kind: .sshKey, name: key.name, since: key.created))
        }
        for secret in try await vault.credentials() where secret.created <= time {
            if try await keepsValue(secret, in: vault) {
                items.append(ExposedItem(.secret, secret))
            } else if try await keepsOneTimeKey(secret.name, in: vault) {
                items.append(ExposedItem(.oneTimeKey, secret))
            }
        }
        return items
    }

    private func holds(_ session: SessionSummary) -> Bool {
        if let epochs { return epochs[session.pairing].map { $0 >= session.epoch } ?? false }
        return Self.begin(of: session).map { $0 <= time } ?? true
    }

    /// When the present key of a session was made; nil if that is unknown.
    ///
    /// A key stores its end, not its beginning. A key from a rotation has the standard life of this program.
    private static func begin(of session: SessionSummary) -> UInt64? {
        guard session.epoch > 0 else { return session.answeredAt }
        let life = UInt64(Terms.standardLifeHours) * 3_600
        return session.endsAt > life ? session.endsAt - life : 0
    }

    /// Whether a secret has the value that it had then: its password or token, or for other kinds the newest version.
    private func keepsValue(_ secret: CredentialSummary, in vault: any VaultService) async throws -> Bool {
        guard secret.changed > time else { return true }
        // A new user or address also makes a new version, but not a new password.
        guard secret.kind == .login || secret.kind == .token else { return false }
        let report = try await vault(Operations.checkCredentials, [secret.name])
        return report.findings.first.map { $0.changed <= time } ?? true
    }

    /// Whether a secret with a new password may still have the one-time key that it had then.
    private func keepsOneTimeKey(_ name: String, in vault: any VaultService) async throws -> Bool {
        let versions = try await vault(Operations.credential, name, .kept).versions
        func hasKey(_ version: CredentialDetails.Version?) -> Bool {
            version.map { $0.fields.contains(CredentialField.totp) } ?? false
        }
        return hasKey(versions.last) && versions.contains { $0.created <= time && hasKey($0) }
    }
}

extension ExposedItem {
    fileprivate init(_ kind: Kind, _ secret: CredentialSummary) {
        self.init(kind: kind, name: secret.name, user: secret.user, url: secret.url, since: secret.changed)
    }
}
