package import RecordStore
internal import SSHFormats
internal import Secrets
package import VaultCrypto
package import VaultKit

/// The content of a vault's export: never the vault's identity, its people, or the keys of sessions.
package struct ExportContent {
    /// How many things of each kind there are.
    package struct Counts {
        package var secrets = 0
        package var keys = 0
        package var hosts = 0
        /// The number of known_hosts lines.
        package var knownHosts = 0

        package init(secrets: Int = 0, keys: Int = 0) {
            (self.secrets, self.keys) = (secrets, keys)
        }
    }

    private(set) var items: [ExportItem] = []
    package private(set) var counts = Counts()
    /// The records that are left out because they cannot be read.
    package private(set) var damaged: [DamagedRecord] = []

    /// Reads the content from the vault, without the trash.
    ///
    /// `now` is in Unix seconds. Damaged records are left out and named in `damaged`. Throws the vault's errors.
    package static func of(_ vault: any VaultService, now: Int64) async throws -> ExportContent {
        var content = ExportContent()
        let now = UInt64(clamping: now)
        let time = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: now >> UInt64($0)) }
        try content.add(.about, "", time)
        let names = try await vault(Operations.sshKeys, .kept).map(\.name)
        let (batch, keys, damaged) = try await vault.exportAll(history: true, sshKeys: names)
        for item in try batch.items() { content.items.append(ExportItem(.secret, item.name, item.content)) }
        content.counts.secrets = batch.count
        for (name, record) in keys {
            content.items.append(ExportItem(.sshKey, name, try record.content()))
        }
        content.counts.keys = keys.count
        for host in try await vault(Operations.sshHosts, .kept) {
            var record = HostRecord(host.profile, extras: host.extras)
            record.isLocal = host.isLocal
            try content.add(.sshHost, host.name, try record.content())
            content.counts.hosts += 1
        }
        // Records that lists leave out are shown only here, each of them once.
        content.damaged = damaged
        for record in try await vault(Operations.damagedRecords) where record.isExported {
            if !content.damaged.contains(where: { $0.kind == record.kind && $0.name == record.name }) {
                content.damaged.append(record)
            }
        }
        do {
            let known = try await vault(Operations.exportKnownHosts)
            if !known.bytes.isEmpty { try content.add(.knownHosts, "", known.bytes) }
            content.counts.knownHosts = known.hosts.count
        } catch VaultError.store(.tampered(.record(let record))) {
            // Export all known hosts or none: a part of them may lack the revoked keys.
            if !content.damaged.contains(record) { content.damaged.append(record) }
        }
        return content
    }

    /// The bytes of the export file, encrypted with the passphrase.
    package func sealed(_ passphrase: Secret) throws -> [UInt8] {
        do throws(ExportError) {
            var writer = try ExportWriter(passphrase: passphrase, entropy: .system)
            for item in items { try writer.add(item) }
            return try writer.finish()
        } catch {
            throw ImportTexts.explain(error)
        }
    }

    private mutating func add(_ kind: ExportItem.Kind, _ name: String, _ bytes: [UInt8]) throws {
        items.append(ExportItem(kind, name, try Secret(copying: bytes)))
    }
}

extension DamagedRecord {
    /// Whether the record may belong to an export.
    fileprivate var isExported: Bool {
        kind.map { $0 == "secret" || $0.hasPrefix("ssh.") } ?? true
    }
}
