internal import HSIP
internal import SSHFormats
internal import Secrets
package import VaultKit

/// One thing that a person with an older copy of the vault, and a secret that opens it, still holds: nothing has taken
/// its place since.
package struct ExposedItem: Equatable, Sendable {
    /// What it is.
    package enum Kind: String, CaseIterable, Sendable {
        case identity, session, offer, sshKey, secret, oneTimeKey
    }

    package let kind: Kind
    /// What the vault calls it; of a session and an offer the contact.
    package let name: String
    package var user: String?
    /// An address, without what may be secret in it.
    package var url: String?
    /// Since when it is as it is, Unix seconds; nil where the vault does not know.
    package let since: UInt64?
}

/// An older copy of a vault, by what tells the old from the new.
package struct OlderCopy: Sendable {
    /// Unix seconds: it holds nothing that was made later.
    package let time: UInt64
    /// The epochs of its sessions; nil for a copy that is not at hand.
    let epochs: [PairingID: UInt32]?

    /// A copy that was made at a moment, Unix seconds.
    package init(time: UInt64) {
        self.time = time
        epochs = nil
    }

    /// A copy that is here.
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

    /// What of the copy was not renewed: names, users and addresses, never a value.
    ///
    /// What is in the trash is left out: it is not in use here.
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

    /// When the present key of a session was made; nil where nothing tells.
    ///
    /// A key keeps its end, not its beginning. One that a rotation made has the life that this program gives it.
    private static func begin(of session: SessionSummary) -> UInt64? {
        guard session.epoch > 0 else { return session.answeredAt }
        let life = UInt64(Terms.standardLifeHours) * 3_600
        return session.endsAt > life ? session.endsAt - life : 0
    }

    /// Whether a secret has the value that it had then: its password or token, and of other kinds the newest version.
    private func keepsValue(_ secret: CredentialSummary, in vault: any VaultService) async throws -> Bool {
        guard secret.changed > time else { return true }
        // A new user or address is a new version as well, and no new password.
        guard secret.kind == .login || secret.kind == .token else { return false }
        let report = try await vault(Operations.checkCredentials, [secret.name])
        return report.findings.first.map { $0.changed <= time } ?? true
    }

    /// Whether a secret that has another password now may have the one-time key of then.
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
