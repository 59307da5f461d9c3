internal import RecordStore
internal import SSHFormats
internal import Secrets

/// The content of one export call; one call means one question to a person.
struct VaultExportStart: Codable, Sendable {
    /// The most SSH keys of one call: their records fit through an agent's socket beside a page of secrets.
    static let maximumKeys = 256

    /// The position where the secrets begin; nil for no secrets.
    let secrets: CredentialExportStart?
    /// The names of the SSH keys.
    let keys: [String]
}

/// The result.
struct VaultExportPart: Codable, Sendable {
    let secrets: CredentialExportPage?
    /// The contents of the keys' records, in the order of their names.
    let keys: SecretPack
    /// The names of the keys that are left out because they cannot be read.
    var damagedKeys: [String] = []
}

extension Vault {
    /// SSH keys with their private halves, and a page of secrets with their values.
    func exportPart(_ start: VaultExportStart) throws -> VaultExportPart {
        guard start.keys.count <= VaultExportStart.maximumKeys else {
            throw CredentialError.tooMuch(limit: VaultExportStart.maximumKeys)
        }
        var keys = SecretPack()
        var damaged: [String] = []
        for name in start.keys {
            do {
                try keys.append(try sshKey(name).record.content())
            } catch VaultError.store(.tampered(.record(let record))) {
                damaged.append(record.name ?? name)
            }
        }
        var page: CredentialExportPage?
        if let secrets = start.secrets { page = try exportPage(secrets) }
        return VaultExportPart(secrets: page, keys: keys, damagedKeys: damaged)
    }
}
