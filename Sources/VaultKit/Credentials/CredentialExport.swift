internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// The request for a page of an export: its options, and the name before its first credential.
struct CredentialExportStart: Codable, Sendable {
    let history: Bool
    let inTrash: Bool
    let after: String?
}

/// A page of an export.
struct CredentialExportPage: Codable, Sendable {
    /// Bytes of the contents in one page, which must fit through the agent's socket.
    static let longest = 4 << 20

    let batch: CredentialBatch
    /// Unreadable records, which are left out.
    var damaged: [DamagedRecord] = []
    /// The last name of this page, if more credentials follow.
    let next: String?
}

extension Vault {
    /// Returns credentials with their values, as many as fit through an agent's socket.
    func exportPage(_ start: CredentialExportStart) throws(VaultError) -> CredentialExportPage {
        try reading { reader in
            var batch = CredentialBatch()
            var size = 0
            var last: String?
            var damaged: [DamagedRecord] = []
            let survey = try reader.survey(Credential.self)
            let infos = survey.records
            // Only the first page reports the damaged records of the index.
            if start.after == nil { damaged = survey.damaged }
            let begin = start.after.flatMap { after in infos.firstIndex { $0.id.name == after } }
            for info in infos[(begin.map { $0 + 1 } ?? 0)...] {
                guard start.inTrash || info.attributes.removedAt == nil else { continue }
                let found: Record?
                do {
                    found = try reader.find(info.id)
                } catch StoreError.tampered(.record(let record)) {
                    damaged.append(record)
                    continue
                }
                guard let record = found else { continue }
                let credential = try Credential(content: record.body)
                let content = try start.history ? record.body : credential.alone().content()
                size += content.count
                guard size <= CredentialExportPage.longest || batch.count == 0 else {
                    return CredentialExportPage(batch: batch, damaged: damaged, next: last)
                }
                try batch.append(content, named: info.id.name)
                last = info.id.name
            }
            return CredentialExportPage(batch: batch, damaged: damaged, next: nil)
        }
    }
}
