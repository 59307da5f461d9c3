internal import Credentials
internal import RecordStore
internal import VaultCrypto

/// Where a part of an export begins.
struct CredentialExportStart: Codable, Sendable {
    let history: Bool
    let inTrash: Bool
    let after: String?
}

/// A part of an export.
struct CredentialExportPage: Codable, Sendable {
    /// Bytes of contents in one part: an answer has to fit through the agent's socket.
    static let longest = 4 << 20

    let batch: CredentialBatch
    /// The last name of this part when there are more.
    let next: String?
}

extension Vault {
    /// Credentials with their values, as many as fit through an agent's socket.
    func exportPage(_ start: CredentialExportStart) throws(VaultError) -> CredentialExportPage {
        try reading { (reader) throws(VaultError) in
            var batch = CredentialBatch()
            var size = 0
            var last: String?
            do {
                let infos = try reader.list(try RecordKind(CredentialRecords.kind))
                let begin = start.after.flatMap { after in infos.firstIndex { $0.id.name == after } }
                for info in infos[(begin.map { $0 + 1 } ?? 0)...] {
                    let isRemoved = CredentialSummary(info).removedAt != nil
                    guard start.inTrash || !isRemoved, let record = try reader.find(info.id) else { continue }
                    let credential = try Credential(content: record.body)
                    let content = try start.history ? record.body : credential.alone().content()
                    size += content.count
                    guard size <= CredentialExportPage.longest || batch.count == 0 else {
                        return CredentialExportPage(batch: batch, next: last)
                    }
                    try batch.append(content, named: info.id.name)
                    last = info.id.name
                }
            } catch {
                throw VaultError(error)
            }
            return CredentialExportPage(batch: batch, next: nil)
        }
    }
}
