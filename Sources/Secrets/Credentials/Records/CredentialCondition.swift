public import VaultCrypto

/// What has to be so for a change to happen; it is judged in the moment of the change.
public enum CredentialCondition: Sendable, Codable {
    /// Nothing.
    case any
    /// There is no credential of this name.
    case absent
    /// There is one.
    case present
    /// This version counts.
    case version(UInt32)
    /// A field, nil for the one that the kind means, has this value: so only who knows a password takes it away.
    case holds(field: String?, Secret)

    /// Whether it tells if a value is that of the vault.
    package var comparesValues: Bool { if case .holds = self { true } else { false } }

    /// Judges a credential; nil for none.
    package func check(_ credential: Credential?) throws(CredentialError) {
        switch self {
        case .any: return
        case .absent: guard credential == nil else { throw .nameTaken }
        case .present: guard credential != nil else { throw .unknownName }
        case .version(let number):
            guard let credential else { throw .unknownName }
            guard credential.current.number == number else { throw .changedMeanwhile }
        case .holds(let field, let value):
            guard let credential else { throw .unknownName }
            guard let found = credential.current[field ?? credential.kind.mainField],
                ConstantTime.equal(found.value, value)
            else { throw .changedMeanwhile }
        }
    }
}
