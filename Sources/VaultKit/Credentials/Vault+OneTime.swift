internal import RecordStore
internal import Secrets
public import VaultCrypto

extension Vault {
    /// The one-time password of this moment, or the next one by counter (RFC 4226), of the key in the field `totp`.
    ///
    /// The counter that stands in the address is the one of the next password. It is raised in one durable commit before
    /// the password is given out: a stop in between wastes a number, and none comes twice. The version of the credential
    /// stays the same, or ten passwords would drive out all that was kept before.
    ///
    /// - Throws: `unknownName`; `inTrash`; `unknownField`; `oneTime` for a field that is no such key.
    public func oneTimeCode(of name: String) throws(VaultError) -> OneTimeCode {
        let name = NameRules.normalized(name)
        return try transact(CredentialTransaction.self) { credentials in
            var credential = try credentials.open(name)
            guard let field = credential.current[CredentialField.totp] else {
                throw CredentialError.unknownField
            }
            let key = try OneTimeKey(reading: field.value)
            let (digits, validity): (Secret, OneTimeCode.Validity)
            switch key.moving {
            case .time:
                let password = try key.password(at: Int64(clamping: credentials.now))
                digits = password.digits
                validity = .seconds(left: password.secondsLeft, of: password.period)
            case .counter(let counter):
                digits = Secret(try key.password(counter: counter))
                validity = .counter(counter)
                let raised = try OneTimeKey.raised(field.value)
                try credential.put(try CredentialField(CredentialField.totp, raised))
                try credentials.replace(name, by: credential)
            }
            return OneTimeCode(
                name: name,
                digits: digits,
                validity: validity,
                issuer: key.issuer,
                account: key.account
            )
        }
    }
}

/// A one-time password that a credential gave, and what a person wants to know of it.
public struct OneTimeCode: Sendable, Codable {
    /// For what it counts.
    public enum Validity: Sendable, Hashable, Codable {
        /// For so many more seconds, of so many in all.
        case seconds(left: Int, of: Int)
        /// For one use: it is the password of this counter, which never gives another one.
        case counter(UInt64)
    }

    /// The credential.
    public let name: String
    /// The digits as ASCII.
    public let digits: Secret
    /// For what it counts.
    public let validity: Validity
    /// Who gave the key out, as its address says; empty where it does not.
    public let issuer: String
    /// Whose it is, as the address says; empty where it does not.
    public let account: String
}
