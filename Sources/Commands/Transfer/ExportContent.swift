package import RecordStore
internal import SSHFormats
internal import Secrets
package import VaultCrypto
package import VaultKit

/// Everything of a vault that goes into an export: never its identity, its people, or the keys of sessions.
package struct ExportContent {
    /// How many things of each kind there are.
    package struct Counts {
        package var secrets = 0
        package var keys = 0
        package var hosts = 0
        /// Lines.
        package var knownHosts = 0

        package init(secrets: Int = 0, keys: Int = 0) {
            (self.secrets, self.keys) = (secrets, keys)
        }
    }

    private(set) var items: [ExportItem] = []
    package private(set) var counts = Counts()
    /// What is left out because it cannot be read.
    package private(set) var damaged: [DamagedRecord] = []

    /// Reads it, what is in the trash left out.
    ///
    /// `now` is in Unix seconds. Damaged records are left out and named in `damaged`. Throws what the vault
    /// refuses.
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
        // What lists leave out is shown nowhere else; each is shown once.
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
            // All of them or none: a part of them may lack what is revoked.
            if !content.damaged.contains(record) { content.damaged.append(record) }
        }
        return content
    }

    /// The file.
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
    /// Whether it may be something that goes into an export.
    fileprivate var isExported: Bool {
        kind.map { $0 == "secret" || $0.hasPrefix("ssh.") } ?? true
    }
}
