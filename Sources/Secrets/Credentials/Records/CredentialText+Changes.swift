public import VaultCrypto

/// The owner's changes in the text of a credential; everything else stays.
public struct CredentialTextChanges: Sendable {
    /// Fields with new values, and new fields.
    public internal(set) var values: [(name: String, value: Secret)] = []
    /// The names of removed fields.
    public internal(set) var dropped: [String] = []
    /// Tags to add.
    public internal(set) var addedTags: [String] = []
    /// Tags to remove.
    public internal(set) var removedTags: [String] = []
    /// A new expiry, in the owner's words.
    public internal(set) var expires: String?

    /// Makes an empty change.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool {
        values.isEmpty && dropped.isEmpty && addedTags.isEmpty && removedTags.isEmpty && expires == nil
    }
}

extension CredentialText {
    /// Compares the text with a credential, and with the expiry that the text originally had.
    ///
    /// The text does not contain line feeds at the end of a value; the new value gets as many as before.
    ///
    /// - Throws: `emptyValue` for a field that was not empty; `notText` for a field that the text cannot contain.
    public func changes(
        to credential: Credential,
        expires said: String
    ) throws(CredentialTextError) -> CredentialTextChanges {
        var changes = CredentialTextChanges()
        let fields = credential.current.fields
        for field in fields where Self.isEditable(field.value) {
            if !sections.contains(where: { $0.name == field.name }) { changes.dropped.append(field.name) }
        }
        for section in sections {
            let before = fields.first { $0.name == section.name }?.value
            if let before {
                guard Self.isEditable(before) else { throw .notText(line: section.line) }
                if try Self.isSame(section.value, before) { continue }
            }
            guard section.value.count > 0 else { throw .emptyValue(line: section.line) }
            changes.values.append((section.name, try Self.value(section.value, endingAs: before)))
        }
        if let tags {
            changes.addedTags = tags.filter { !credential.tags.contains($0) }
            changes.removedTags = credential.tags.filter { !tags.contains($0) }
        }
        if let expires, expires != said { changes.expires = expires }
        return changes
    }

    private static func isSame(_ value: Secret, _ before: Secret) throws(CredentialTextError) -> Bool {
        do throws(CryptoError) {
            let bare = try before.part(0..<CredentialTextReader.end(of: before))
            return bare.count == value.count && ConstantTime.equal(bare, value)
        } catch {
            throw .outOfMemory
        }
    }

    private static func value(_ value: Secret, endingAs before: Secret?) throws(CredentialTextError) -> Secret
    {
        guard let before else { return value }
        let feeds = before.count - CredentialTextReader.end(of: before)
        guard feeds > 0, feeds < before.count else { return value }
        do throws(CryptoError) {
            return Secret(
                try SecretBytes.joined([value, [UInt8](repeating: 0x0A, count: feeds)] as [any ByteSource])
            )
        } catch {
            throw .outOfMemory
        }
    }
}
