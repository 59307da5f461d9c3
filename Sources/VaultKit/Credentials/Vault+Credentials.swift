internal import RecordStore
public import Secrets

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
