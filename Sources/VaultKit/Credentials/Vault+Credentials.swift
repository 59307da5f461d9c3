internal import RecordStore
public import Secrets
public import VaultCrypto

// Callers may pass names in any Unicode form; the vault keeps form C.

extension Vault {

    /// Adds a credential, or changes one and adds a version if a value differs.
    ///
    /// If no value differs, no version is added; if nothing changes, nothing is written. A credential in the
    /// trash gives up its name to a new one.
    ///
    /// - Throws: `badName`; `kindDiffers`; `noFields`; the errors of the condition and of the limits of
    ///   `Credential`.
    public func setCredential(
        _ name: String,
        _ change: CredentialChange
    ) throws(VaultError) -> CredentialOutcome {
        let name = NameRules.normalized(name)
        let ((isNew, hasNewVersion), summary) = try changing(name) {
            (credentials) -> (Bool, Bool) in
            let before = try credentials.living(name)
            try change.condition.check(before)
            let after = try change.applied(to: before, at: credentials.now)
            guard before != nil else {
                try credentials.claim(name)
                try credentials.add(after.credential, named: name)
                return (true, true)
            }
            if after.isChanged { try credentials.replace(name, by: after.credential) }
            return (false, after.hasNewVersion)
        }
        return CredentialOutcome(summary: summary, isNew: isNew, hasNewVersion: hasNewVersion)
    }

    /// Moves a credential to the trash, which keeps it for 30 days.
    ///
    /// - Throws: `unknownName`; `inTrash`; the errors of the condition.
    public func removeCredential(
        _ name: String,
        _ condition: CredentialCondition = .any
    ) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        return try changing(name) { credentials in
            try credentials.remove(name) { credential in
                try condition.check(credential)
            }
        }.summary
    }

    /// Restores a credential from the trash; one outside the trash stays as it is.
    ///
    /// - Throws: `unknownName`.
    public func restoreCredential(_ name: String) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        return try changing(name) { credentials in try credentials.restore(name) }
            .summary
    }

    /// Renames a credential.
    ///
    /// - Throws: `unknownName`; `inTrash`; `badName`; `nameTaken`.
    public func moveCredential(_ name: String, to other: String) throws(VaultError) -> CredentialSummary {
        let (name, other) = (NameRules.normalized(name), NameRules.normalized(other))
        return try changing(other) { credentials in
            let credential = try credentials.open(name)
            guard name != other else { return }
            try credentials.claim(other)
            try credentials.move(name, to: other, as: credential)
        }.summary
    }

    /// Imports credentials in one commit and reads them back.
    ///
    /// - Parameters:
    ///   - batch: the credentials with their preferred names.
    ///   - rules: what to do with a credential whose name exists.
    ///   - isTrial: whether to report the outcomes without writing anything.
    /// - Returns: the outcome of each credential, in the order of `batch`.
    /// - Throws: the error of the first credential that cannot be imported; then none is imported.
    public func importCredentials(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) throws(VaultError) -> [CredentialImportOutcome] {
        try transact(CredentialTransaction.self, isTrial: isTrial) { credentials in
            try credentials.take(batch, rules)
        }
    }

    /// Changes credentials, and summarizes the credential `name` without opening it again.
    private func changing<R>(
        _ name: String,
        _ act: (inout CredentialTransaction) throws -> R
    ) throws(VaultError) -> (result: R, summary: CredentialSummary) {
        let ((result, planned), written) = try proving {
            (credentials: inout CredentialTransaction) -> (R, RecordInfo) in
            let result = try act(&credentials)
            guard let info = try credentials.outcome(name) else { throw CredentialError.unknownName }
            return (result, info)
        }
        // The store sets the time of the change.
        return (result, CredentialSummary(written.first { $0.id == planned.id } ?? planned))
    }
}

extension Vault {
    /// The one-time password of this moment, or the next one by counter (RFC 4226), of the key in the field `totp`.
    ///
    /// The counter that stands in the address is the one of the next password. It is raised in one durable commit before
    /// the password is given out: a stop in between wastes a number, and none comes twice. The version of the credential
    /// stays the same, or ten passwords would drive out all that was kept before.
    ///
    /// - Throws: `unknownName`; `inTrash`; `unknownField`; `oneTime` if the field is not a key for one-time passwords.
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
