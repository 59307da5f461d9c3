internal import Credentials
internal import RecordStore
internal import VaultCrypto

/// Content ↔ record of a credential (Schemas/credentials.md).
enum CredentialRecords {
    static let kind = "secret"

    /// Bytes of a user or an address that are searchable; what is longer is left out of lists.
    private static let longestText = 1_024

    /// A credential's record under a name.
    static func draft(of credential: Credential, named name: String) throws(VaultError) -> RecordDraft {
        let content: Secret
        do throws(CredentialError) {
            content = try credential.content()
        } catch {
            throw .secret(error)
        }
        return try draft(of: credential, content, named: name)
    }

    /// The same with the content that the credential was read from.
    static func draft(
        of credential: Credential,
        _ content: Secret,
        named name: String
    ) throws(VaultError) -> RecordDraft {
        do throws(StoreError) {
            return RecordDraft(
                id: try id(name),
                attributes: try attributes(of: credential),
                expires: (credential.expires ?? 0) * 1000,
                body: content
            )
        } catch {
            throw .store(error)
        }
    }

    static func id(_ name: String) throws(StoreError) -> RecordID { try RecordID(kind, name) }

    /// The credential of a record; the content, not what is searchable, says what it is.
    static func credential(_ record: Record) throws(VaultError) -> Credential {
        do throws(CredentialError) {
            return try Credential(content: record.body)
        } catch {
            throw .secret(error)
        }
    }

    /// The address of a credential, as far as it is one.
    static func url(of credential: Credential) -> CredentialURL? {
        credential.current[CredentialField.url].flatMap { text(of: $0.value) }.flatMap { CredentialURL($0) }
    }

    /// What lists and searches need, so that no secret is opened for them.
    private static func attributes(of credential: Credential) throws(StoreError) -> Attributes {
        var pairs = ["type": credential.kind.word, "version": String(credential.current.number)]
        pairs["changed"] = String(credential.current.created)
        if let user = credential.current[CredentialField.user] { pairs["user"] = text(of: user.value) }
        if let url = url(of: credential) {
            // What stands behind a `?` or before an `@` may be a secret.
            pairs["url"] = url.shown
            pairs["host"] = url.host
        }
        if !credential.tags.isEmpty { pairs["tags"] = credential.tags.joined(separator: ",") }
        pairs["removed"] = credential.removedAt.map { String($0) }
        return try Attributes(pairs)
    }

    /// A value as text of one line; nil for anything else.
    private static func text(of value: Secret) -> String? {
        guard (1...longestText).contains(value.count) else { return nil }
        let text = value.withBytes { String(validating: $0.copied(), as: UTF8.self) }
        guard let text,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { return nil }
        return text
    }
}
