public import RecordStore
public import Secrets
internal import VaultCrypto

/// The faults of a vault's credentials, without any of their values.
public struct CredentialReport: Sendable, Codable {
    /// The faults of one credential.
    public struct Finding: Sendable, Codable {
        /// The name of the credential.
        public let name: String
        /// The strength of the password, rounded down to whole bits; nil if there is no password.
        public let bits: Int?
        /// The first few other credentials with the same password, by name.
        public let sameAs: [String]
        /// When the password was last changed, Unix seconds.
        public let changed: UInt64
        /// Whether the password is older than a year.
        public let isOld: Bool
        /// When the credential expires, Unix seconds.
        public let expires: UInt64?
        /// Whether the credential has expired.
        public let isExpired: Bool

        /// The strength of the password.
        public var strength: Strength? { bits.map { Strength(bits: Double($0)) } }

        /// The faults that apply: `weak`, `reused`, `old`, `expired`.
        public var words: [String] {
            var words: [String] = []
            if strength?.label == .weak { words.append("weak") }
            if !sameAs.isEmpty { words.append("reused") }
            if isOld { words.append("old") }
            if isExpired { words.append("expired") }
            return words
        }
    }

    /// The credentials with faults, by name; or all requested credentials, with or without faults.
    public let findings: [Finding]
    /// The number of checked credentials.
    public let checked: Int
    /// Credentials with unreadable values, which were not checked.
    public let damaged: [DamagedRecord]
    /// Whether the list was cut, because it is too long for one answer.
    public let isCut: Bool
}

extension Vault {
    /// The age in seconds from which a password is old.
    private static let oldAge: UInt64 = 365 * 86_400
    /// The approximate bytes of findings in one report.
    private static let longestReport = 1 << 20
    /// The most other names with the same password in a finding.
    private static let maximumSame = 5

    /// Finds passwords that are weak, reused, old or expired; their values stay in the vault.
    ///
    /// Logins can be weak or old, logins and tokens can be reused, and every credential can be expired. Equal passwords are
    /// found by hashes with a temporary key.
    ///
    /// - Parameter names: the credentials to report, with or without faults; empty for all with faults. Every credential
    ///   is read in any case, because another may have the same password.
    /// - Returns: about 1 MiB of findings at most; `isCut` shows whether findings are missing.
    /// - Throws: `unknownName`; `inTrash`.
    public func checkCredentials(named names: [String] = []) throws(VaultError) -> CredentialReport {
        try reading { reader in
            var chosen: Set<String> = []
            for name in names {
                let name = NameRules.normalized(name)
                chosen.insert(try reader.opened(Credential.self, name).info.id.name)
            }
            var drafts: [Draft] = []
            let survey = try reader.survey(Credential.self)
            var damaged = survey.damaged
            var users: [[UInt8]: [String]] = [:]
            let key = entropy.bytes(32)
            for info in survey.records where info.attributes.removedAt == nil {
                let credential: Credential
                do {
                    credential = try reader.opened(Credential.self, info.id.name).content
                } catch StoreError.tampered(.record(let record)) {
                    damaged.append(record)
                    continue
                }
                let summary = CredentialSummary(info)
                let field = credential.current[credential.kind.mainField]
                let draft = Draft(summary, credential, field, key: key)
                if let tag = draft.tag { users[tag, default: []].append(summary.name) }
                drafts.append(draft)
            }
            var findings: [CredentialReport.Finding] = []
            var size = 0
            for draft in drafts where chosen.isEmpty || chosen.contains(draft.summary.name) {
                let others = (draft.tag.flatMap { users[$0] } ?? []).filter { $0 != draft.summary.name }
                let finding = draft.finding(others.prefix(Self.maximumSame), now: now(), oldAge: Self.oldAge)
                guard !chosen.isEmpty || !finding.words.isEmpty else { continue }
                size += 200 + finding.name.utf8.count + finding.sameAs.reduce(0) { $0 + $1.utf8.count }
                guard size <= Self.longestReport else { break }
                findings.append(finding)
            }
            return CredentialReport(
                findings: findings,
                checked: chosen.isEmpty ? drafts.count : chosen.count,
                damaged: damaged,
                isCut: size > Self.longestReport
            )
        }
    }

    /// The facts about a credential, before it is compared with the others.
    private struct Draft {
        let summary: CredentialSummary
        /// The time of the current value.
        let changed: UInt64
        let bits: Int?
        let tag: [UInt8]?

        init(_ summary: CredentialSummary, _ credential: Credential, _ field: CredentialField?, key: [UInt8])
        {
            self.summary = summary
            let isLogin = credential.kind == .login
            let isSecret = isLogin || credential.kind == .token
            let value = isSecret ? field?.value : nil
            bits = isLogin ? value.map { Int(ChosenPassword.strength(of: $0).bits) } : nil
            tag = value.flatMap { $0.count > 0 ? HMACSHA256.tag($0, key: key) : nil }
            var changed = credential.current.created
            for version in credential.versions.reversed() {
                guard let value, let before = version[credential.kind.mainField]?.value,
                    ConstantTime.equal(before, value)
                else { break }
                changed = version.created
            }
            self.changed = changed
        }

        func finding(
            _ others: some Collection<String>,
            now: UInt64,
            oldAge: UInt64
        ) -> CredentialReport.Finding {
            CredentialReport.Finding(
                name: summary.name,
                bits: bits,
                sameAs: Array(others),
                changed: changed,
                isOld: bits != nil && changed + oldAge < now,
                expires: summary.expires,
                isExpired: summary.isExpired(at: now)
            )
        }
    }
}
