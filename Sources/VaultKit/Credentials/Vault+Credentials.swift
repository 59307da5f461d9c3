internal import RecordStore
public import Secrets

// Names are taken in any form of Unicode, and kept in form C.

extension Vault {

    /// Makes a credential, or gives one that is there a new version and what else is to change about it.
    ///
    /// Where every value is what it was, there is no new version; where nothing changes, nothing is written. One in the
    /// trash gives its name up to a new one.
    ///
    /// - Throws: `badName`; `kindDiffers`; `noFields`; what the condition and the limits of `Credential` refuse.
    public func setCredential(
        _ name: String,
        _ change: CredentialChange
    ) throws(VaultError) -> CredentialOutcome {
        let name = NameRules.normalized(name)
        let ((isNew, hasNewVersion), summary) = try changing(name) {
            (credentials) throws(VaultError) -> (Bool, Bool) in
            let before = try credentials.living(name)
            let after = try Self.caught { () throws(CredentialError) in
                try change.condition.check(before)
                return try change.applied(to: before, at: credentials.now)
            }
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

    /// Puts a credential into the trash, which keeps it for 30 days.
    ///
    /// - Throws: `unknownName`; `inTrash`; what the condition refuses.
    public func removeCredential(
        _ name: String,
        _ condition: CredentialCondition = .any
    ) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        return try changing(name) { (credentials) throws(VaultError) in
            try credentials.remove(name) { (credential) throws(VaultError) in
                try Self.caught { () throws(CredentialError) in try condition.check(credential) }
            }
        }.summary
    }

    /// Takes a credential out of the trash; one that is not in it stays as it is.
    ///
    /// - Throws: `unknownName`.
    public func restoreCredential(_ name: String) throws(VaultError) -> CredentialSummary {
        let name = NameRules.normalized(name)
        return try changing(name) { (credentials) throws(VaultError) in try credentials.restore(name) }
            .summary
    }

    /// Gives a credential another name.
    ///
    /// - Throws: `unknownName`; `inTrash`; `badName`; `nameTaken`.
    public func moveCredential(_ name: String, to other: String) throws(VaultError) -> CredentialSummary {
        let (name, other) = (NameRules.normalized(name), NameRules.normalized(other))
        return try changing(other) { (credentials) throws(VaultError) in
            let credential = try credentials.open(name)
            guard name != other else { return }
            try credentials.claim(other)
            try credentials.move(name, to: other, as: credential)
        }.summary
    }

    /// Takes credentials into the vault, all of them in one commit, and reads them back.
    ///
    /// - Parameters:
    ///   - batch: the credentials with the names that they would like.
    ///   - rules: what happens to one whose name is taken.
    ///   - isTrial: whether to say only what would become of each; nothing is written then.
    /// - Returns: what became of each, in the order of `batch`.
    /// - Throws: what one of them refuses: then none is taken.
    public func importCredentials(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules = CredentialImportRules(),
        isTrial: Bool = false
    ) throws(VaultError) -> [CredentialImportOutcome] {
        try transact(CredentialTransaction.self, isTrial: isTrial) { (credentials) throws(VaultError) in
            try credentials.take(batch, rules)
        }
    }

    /// Changes credentials, and summarizes the credential `name` without opening it again.
    private func changing<R>(
        _ name: String,
        _ act: (inout CredentialTransaction) throws(VaultError) -> R
    ) throws(VaultError) -> (result: R, summary: CredentialSummary) {
        let ((result, planned), written) = try proving {
            (credentials: inout CredentialTransaction) throws(VaultError) -> (R, RecordInfo) in
            let result = try act(&credentials)
            guard let info = try credentials.outcome(name) else { throw .secret(.unknownName) }
            return (result, info)
        }
        // The store sets the time of the change.
        return (result, CredentialSummary(written.first { $0.id == planned.id } ?? planned))
    }

    private static func caught<R>(_ act: () throws(CredentialError) -> R) throws(VaultError) -> R {
        do throws(CredentialError) {
            return try act()
        } catch {
            throw .secret(error)
        }
    }
}
