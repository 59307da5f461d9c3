internal import FileStore
package import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Secrets
internal import Text
package import VaultKit
internal import VaultLifecycle

extension VaultChecks {
    func verified() -> Finding {
        do throws(StoreError) {
            switch store {
            case .file(let store):
                let report = try store.inspect()
                guard report.damaged.isEmpty else { return damaged(report.damaged) }
                return .fine(.vaultFile, "sound: records \(report.records), slots \(report.slots)")
            case .keyring(let store):
                let report = try store.inspect()
                guard report.damaged.isEmpty, report.strays.isEmpty else { return unreadable(report, store) }
                guard report.differing.isEmpty, report.unpublished == 0 else { return copies(report, store) }
                return .fine(.keyring, "sound: records \(report.records)")
            }
        } catch {
            return .problem(error)
        }
    }

    private func damaged(_ records: [DamagedRecord]) -> Finding {
        Finding(
            check: .vaultFile,
            state: .problem,
            message:
                "records are damaged: \(records.map(\.words).joined(separator: ", "))",
            reason: "hsip refuses what depends on them; a repair saves everything else into a new vault",
            hint: "hsip vault repair -o NEW",
            code: .tampered
        )
    }

    /// Items in the keyring that the vault cannot read: records that are damaged, and what other programs put there.
    private func unreadable(_ report: KeyringReport, _ store: SecretServiceStore) -> Finding {
        let names = report.damaged.map(\.words)
        let labels = report.strays.map { Display(isUTF8: true).name($0) }
        let damaged = names.isEmpty ? nil : "records are damaged: \(names.joined(separator: ", "))"
        let foreign =
            labels.isEmpty
            ? nil : "items of other programs are in the vault: \(labels.joined(separator: ", "))"
        let count = names.count + labels.count
        let what = count == 1 ? "it" : "these \(count)"
        return Finding(
            check: .keyring,
            state: names.isEmpty ? .warning : .problem,
            message: [damaged, foreign].compactMap(\.self).joined(separator: "; "),
            reason: names.isEmpty
                ? "hsip does not read these items"
                : "hsip refuses what depends on a damaged record; everything else can be read",
            hint: "hsip doctor --fix",
            code: names.isEmpty ? nil : .tampered,
            fix: Finding.Fix(
                question: "Move \(what) aside? The keyring keeps these items.",
                needsPerson: !names.isEmpty
            ) { try store.setAside() }
        )
    }

    /// Passwords that other programs do not find in the keyring, or find as they were.
    private func copies(_ report: KeyringReport, _ store: SecretServiceStore) -> Finding {
        let names = report.differing.map { Display(isUTF8: true).name($0.name) }
        let differing =
            names.isEmpty ? nil : "other programs read other values for: \(names.joined(separator: ", "))"
        let missing =
            report.unpublished == 0
            ? nil
            : "passwords and tokens whose item for other programs is missing: "
                + "\(report.unpublished)"
        let count = names.count + report.unpublished
        return Finding(
            check: .keyring,
            state: .notice,
            message: [differing, missing].compactMap(\.self).joined(separator: "; "),
            reason: "the vault is intact and does not read these items",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(
                question: "Write \(count) \(count == 1 ? "item" : "items")? "
                    + "Hundreds of items need minutes, because the keyring writes its whole file for each."
            ) {
                defer { context.progress(nil) }
                try store.publishCopies { done, all in context.progress("writing item \(done) of \(all)…") }
            }
        )
    }
}

/// Whether the audit log is there as it was written.
package enum AuditCheck {
    /// What is found when its check failed with `failure`; nil stands for a check that did not fail.
    package static func finding(_ failure: Failure?) -> Finding {
        guard let failure else {
            return .fine(.audit, "the audit log is complete and unchanged")
        }
        return .problem(.audit, failure, reason: "the audit log is not reliable")
    }
}

/// Passwords, tokens and files that ended, or end soon; `secret list --expiring` names the same.
package enum SecretChecks {
    /// How many days before its end a secret is reported.
    private static let days = CredentialSummary.soon / 86_400

    /// One finding; the ends lie beside the names, so no value is opened for it.
    package static func finding(_ vault: any VaultService, now: Int64) async throws -> Finding {
        var wanted = CredentialQuery()
        wanted.expiresBefore = UInt64(clamping: now + CredentialSummary.soon + 1)
        let found = try await vault.credentials(wanted)
        guard !found.isEmpty else { return .fine(.secrets, "no secret expires soon") }
        let ended = found.count { $0.isExpired(at: UInt64(clamping: now)) }
        return Finding(
            check: .secrets,
            state: .warning,
            message: [said(ended, "ended"), said(found.count - ended, "expiring soon")].compactMap(\.self)
                .joined(separator: ", "),
            reason: "access with these secrets may end",
            hint: "hsip secret list --expiring \(days)d"
        )
    }

    private static func said(_ count: Int, _ state: String) -> String? {
        count == 0 ? nil : "\(count) secret\(count == 1 ? "" : "s") \(state)"
    }
}
