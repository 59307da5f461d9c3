internal import RecordStore
internal import Secrets
internal import VaultCrypto

typealias CredentialTransaction = NamedRecordTransaction<Credential>

extension CredentialTransaction {
    /// Plans the outcome of every credential in an import.
    mutating func take(
        _ batch: CredentialBatch,
        _ rules: CredentialImportRules
    ) throws -> [CredentialImportOutcome] {
        var taking = ImportState(logins: [:])
        for info in try list() {
            let summary = CredentialSummary(info)
            if summary.removedAt == nil { taking.note(summary.name, Self.login(summary.url, summary.user)) }
        }
        purge()
        let items = try batch.items()
        var outcomes: [CredentialImportOutcome] = []
        outcomes.reserveCapacity(items.count)
        for item in items { outcomes.append(try take(item, rules, &taking)) }
        return outcomes
    }

    /// The state of an import.
    private struct ImportState {
        /// Names by address and user.
        var logins: [String: String]
        /// The names of the credentials imported so far.
        var placed: Set<String> = []

        mutating func note(_ name: String, _ login: String?) {
            if let login, logins[login] == nil { logins[login] = name }
        }
    }

    private mutating func take(
        _ item: CredentialBatch.Item,
        _ rules: CredentialImportRules,
        _ taking: inout ImportState
    ) throws -> CredentialImportOutcome {
        let name = NameRules.normalized(item.name)
        guard Credential.isName(name) else { throw CredentialError.badName }
        let credential = try item.credential()
        let login = Self.login(of: credential)
        let twin = login.flatMap { taking.logins[$0] }
        func outcome(_ act: CredentialImportOutcome.Act, _ found: String) -> CredentialImportOutcome {
            .init(given: item.name, name: found, act: act, twin: twin == found ? nil : twin)
        }
        let isMine = taking.placed.contains(name)
        let found = try readable(name)
        let holder = found.flatMap { $0.isRemoved ? nil : $0 }
        if let holder, holder.hasSameFields(as: credential) { return outcome(.known, name) }
        if holder == nil, let same = found, same.hasSameFields(as: credential) {
            try restore(name)
            taking.placed.insert(name)
            taking.note(name, login)
            return outcome(.restored, name)
        }
        var target = name
        if found == nil, !(try isFree(name)) {
            // An unreadable record still has its name, and must not be overwritten.
            guard rules.taken != .leave else { return outcome(.nameTaken, name) }
            target = try freeName(like: name)
        } else if let holder {
            switch rules.taken {
            case .leave where !isMine: return outcome(.nameTaken, name)
            case .addVersion where !isMine && holder.kind == credential.kind:
                var merged = holder
                try merged.takeVersion(of: credential, at: now)
                try replace(name, by: merged)
                taking.placed.insert(name)
                return outcome(.versioned, name)
            default: target = try freeName(like: name)
            }
        }
        if rules.leavesTwins, twin != nil { return outcome(.twin, name) }
        try claim(target)
        let made = credential.versions[0].created
        try add(credential, named: target, body: item.content, created: made == 0 ? now : made)
        taking.placed.insert(target)
        taking.note(target, login)
        return outcome(target == name ? .added : .renamed, target)
    }

    /// The host and the user of a login; nil if either is missing.
    private static func login(_ url: String?, _ user: String?) -> String? {
        guard let url, let user else { return nil }
        return "\(url) \(user)"
    }

    private static func login(of credential: Credential) -> String? {
        guard let user = credential.current[CredentialField.user]?.value, user.count <= 1_024,
            let text = user.withBytes({ String(validating: $0.copied(), as: UTF8.self) })
        else { return nil }
        return login(credential.url?.shown, text)
    }
}

extension Credential {
    /// Whether the current versions have equal fields.
    func hasSameFields(as other: Credential) -> Bool {
        guard kind == other.kind, current.fields.count == other.current.fields.count else { return false }
        return current.fields.allSatisfy { field in
            other.current[field.name].map { ConstantTime.equal($0.value, field.value) } ?? false
        }
    }

    /// Adds the current version of another credential as a new version, its expiry, and as many tags as fit.
    mutating func takeVersion(of other: Credential, at second: UInt64) throws(CredentialError) {
        try add(other.current.fields, at: second)
        let more = other.tags.filter { !tags.contains($0) }
        try setTags(tags + more.prefix(Self.maximumTags - tags.count))
        if let expires = other.expires { try setExpires(expires) }
    }
}
