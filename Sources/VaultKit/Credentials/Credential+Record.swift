internal import RecordStore
internal import Secrets
internal import VaultCrypto

/// Converts a credential from and to its record (Schemas/credentials.md).
extension Credential: NamedRecord {
    static let recordKind = "secret"
    static let identity: String? = nil
    static let longestName = CredentialName.longest
    // There may be a hundred thousand credentials, so not every change reads all of them.
    static let isPurgedByEveryChange = false
    static let refusals = NameRefusals(
        unknown: .secret(.unknownName),
        inTrash: .secret(.inTrash),
        taken: .secret(.nameTaken),
        bad: .secret(.badName)
    )

    /// The most bytes of a searchable user or address; a longer text is missing in lists.
    private static let longestText = 1_024

    /// Whether a name is valid for a record, and can be shown to a person.
    static func isName(_ name: String) -> Bool { CredentialName.isValid(name) && id(name) != nil }

    init(body: Secret) throws { try self.init(content: body) }

    func body() throws -> Secret { try content() }

    /// The address of the credential; nil if the field `url` is not an address.
    var url: CredentialURL? {
        current[CredentialField.url].flatMap { Self.text(of: $0.value) }.flatMap { CredentialURL($0) }
    }

    func attributes() throws -> Attributes {
        var pairs = ["type": kind.word, "version": String(current.number)]
        pairs["changed"] = String(current.created)
        if let user = current[CredentialField.user] { pairs["user"] = Self.text(of: user.value) }
        if let url {
            // Text after a `?` or before an `@` may be a secret.
            pairs["url"] = url.shown
            pairs["host"] = url.host
        }
        if !tags.isEmpty { pairs["tags"] = tags.joined(separator: ",") }
        pairs["removed"] = removedAt.map { String($0) }
        return try Attributes(pairs)
    }

    /// A value as text of one line; nil for any other value.
    private static func text(of value: Secret) -> String? {
        guard (1...longestText).contains(value.count) else { return nil }
        let text = value.withBytes { String(validating: $0.copied(), as: UTF8.self) }
        guard let text,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        else { return nil }
        return text
    }
}
