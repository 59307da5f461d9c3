internal import RecordStore
public import Secrets
public import VaultCrypto

// Callers may pass names in any Unicode form; the vault keeps form C.

extension Vault {

    /// Adds a credential, or changes one and adds a version if a value differs.
    ///
    /// If no value differs, no version is added; if nothing changes, nothing is written. If a credential in the trash has
    /// the name, it is renamed.
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

    /// Restores a credential from the trash; a credential outside the trash stays as it is.
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
    ///   - rules: the treatment of a credential whose name exists.
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

    /// Changes credentials, and summarises the credential `name` without opening it again.
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
    /// Returns the present one-time password, or the next one of a counter-based key (RFC 4226), from the field `totp`.
    ///
    /// The address contains the counter of the next password. One durable commit raises the counter before the password is
    /// returned. So a crash in between wastes a counter, but no password is returned twice. The credential gets no new
    /// version, because ten passwords would otherwise remove its whole history.
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

/// A one-time password of a credential, and the facts that a person needs to use it.
public struct OneTimeCode: Sendable, Codable {
    /// The validity of a one-time password.
    public enum Validity: Sendable, Hashable, Codable {
        /// Valid for a number of seconds, out of a whole period.
        case seconds(left: Int, of: Int)
        /// Valid for one use: the password of this counter, which is never returned again.
        case counter(UInt64)
    }

    /// The name of the credential.
    public let name: String
    /// The digits as ASCII.
    public let digits: Secret
    /// The validity of the password.
    public let validity: Validity
    /// The issuer of the key, from its address; empty if unknown.
    public let issuer: String
    /// The account at the issuer, from the address; empty if unknown.
    public let account: String
}
