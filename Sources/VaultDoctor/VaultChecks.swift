internal import Console
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import VaultCrypto
package import VaultKit
package import VaultLifecycle

/// What only an open vault can tell.
package struct VaultChecks {
    let context: CheckContext
    let store: OpenedStore
    let vault: any VaultService
    /// What the keyring keeps for a vault file with a key slot there.
    let companion: KeyringCompanion?
    /// What a check of the audit log found.
    let audit: Finding?

    private var place: VaultPlace { context.place }
    private var config: ConfigFile { context.config }
    private var now: Int64 { context.now }

    package init(
        _ context: CheckContext,
        store: OpenedStore,
        vault: any VaultService,
        companion: KeyringCompanion?,
        audit: Finding?
    ) {
        (self.context, self.store, self.vault) = (context, store, vault)
        (self.companion, self.audit) = (companion, audit)
    }

    package func findings() async throws -> [Finding] {
        var found = [verified(), anchor()]
        if case .file(let store) = store {
            found += try slots(store)
            let oldest = try store.slots().map(\.created).min().map { Int64(clamping: $0 / 1_000) }
            found += BackupChecks(context, store.vaultID).findings(ofVaultMade: oldest)
            if let companion {
                found += try KeyringSlotChecks(place: place, store: store, companion: companion, now: now)
                    .findings()
            }
        }
        // What cannot be read of them was found above.
        if let secrets = try? await SecretChecks.finding(vault, now: now) { found.append(secrets) }
        if let audit { found.append(audit) }
        do {
            found += try await Self.people(vault, now: now)
        } catch VaultError.noIdentity {
            found.append(lacksIdentity())
        } catch VaultError.store(.tampered) where found.contains(where: { $0.state == .problem }) {
            // Which record it is was found above, with what helps.
        }
        return found
    }

    /// What this machine remembers of the backups of a vault file that it cannot open.
    package static func backups(_ context: CheckContext) -> [Finding] {
        guard let record = context.record, record.backend == .file else { return [] }
        return BackupChecks(context, record.id).findings(ofVaultMade: nil)
    }

    /// What the clock and the sessions say, each as far as it can be read.
    ///
    /// - Throws: `noIdentity`; `tampered` where a record is damaged that the sessions depend on.
    package static func people(_ vault: any VaultService, now: Int64) async throws -> [Finding] {
        var found: [Finding] = []
        var openOffers = 0
        do {
            _ = try await vault.identity()
            found.append(try await ClockCheck(vault: vault, now: now).finding())
            openOffers = try await vault.openOffers().count
        } catch VaultError.store(.tampered(let part)) {
            found.append(unreadable(part))
        }
        return found
            + SessionChecks.findings(
                try await vault.contacts(),
                try await vault.hostKeys(),
                openOffers: openOffers,
                now: now
            )
    }

    /// The identity or the clock mark, without which nothing is stamped or sealed.
    private static func unreadable(_ part: TamperedPart) -> Finding {
        let failure = Failures.explain(StoreError.tampered(part))
        return .problem(.clock, failure, reason: "nothing is stamped or sealed without it")
    }

    private func verified() -> Finding {
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
            reason: "what depends on them is refused; a repair saves all else into a new vault",
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
            ? nil : "items of other programs lie in the vault: \(labels.joined(separator: ", "))"
        let count = names.count + labels.count
        let what = count == 1 ? "it" : "these \(count)"
        return Finding(
            check: .keyring,
            state: names.isEmpty ? .warning : .problem,
            message: [damaged, foreign].compactMap(\.self).joined(separator: "; "),
            reason: names.isEmpty
                ? "nothing of the vault reads them"
                : "what depends on a damaged record is refused; all else can be read",
            hint: "hsip doctor --fix",
            code: names.isEmpty ? nil : .tampered,
            fix: Finding.Fix(
                question: "Set \(what) aside? The keyring keeps what is set aside.",
                needsPerson: !names.isEmpty
            ) { try store.setAside() }
        )
    }

    /// Passwords that other programs do not find in the keyring, or find as they were.
    private func copies(_ report: KeyringReport, _ store: SecretServiceStore) -> Finding {
        let names = report.differing.map { Display(isUTF8: true).name($0.name) }
        let differing =
            names.isEmpty ? nil : "other programs read something else for: \(names.joined(separator: ", "))"
        let missing =
            report.unpublished == 0
            ? nil
            : "passwords and tokens without an item for other programs, which was not written yet or is gone: "
                + "\(report.unpublished)"
        let count = names.count + report.unpublished
        return Finding(
            check: .keyring,
            state: .notice,
            message: [differing, missing].compactMap(\.self).joined(separator: "; "),
            reason: "the vault is sound and does not read these items",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(
                question: "Write \(count) \(count == 1 ? "item" : "items")? "
                    + "Hundreds take minutes, since the keyring writes its whole file for each."
            ) { try store.publishCopies() }
        )
    }

    private func anchor() -> Finding {
        guard store.noted.contains(.anchorMissing) else {
            return .fine(.anchor, "an older copy of the vault would be noticed")
        }
        return Finding(
            check: .anchor,
            state: .warning,
            message: "this machine had no memory of the vault: it counts as restored from a backup",
            reason: "it may be a copy of one in use elsewhere; from now on hsip notices an older one",
            hint: "hsip status  lists what to renew and to compare"
        )
    }

    private func slots(_ store: FileStore) throws -> [Finding] {
        let slots = try store.slots()
        var found: [Finding] = []
        if Swift.Set(slots.map { $0.kind.isRecovery ? .recovery : $0.kind }).count < 2 {
            found.append(
                Finding(
                    check: .slots,
                    state: .warning,
                    message: "there is only one way to open the vault",
                    reason: "if you forget it, there is no other way in",
                    hint: "hsip vault slot add recovery"
                )
            )
        }
        let record = try config.record(of: place.key)
        if let advised = record?.rekeyAdvisedAt {
            found.append(
                Finding(
                    check: .slots,
                    state: .warning,
                    message: "a key slot was removed or replaced on \(Times.date(advised))",
                    reason: "its secret opens old copies, and anyone who used it may have the vault key",
                    hint: "hsip vault rekey"
                )
            )
        }
        let codes = slots.filter { $0.kind.isRecovery && Sharing($0) == nil }
        if !codes.isEmpty, record?.recoveryTestedAt == nil {
            found.append(record?.kitMadeAt == nil ? Self.codeNotTested : Self.kitNotTested)
        }
        if found.isEmpty { found.append(.fine(.slots, "\(Plural.of(slots.count, "way")) to open the vault")) }
        return found + slots.compactMap { keyDerivation($0) }
    }

    private static var codeNotTested: Finding {
        Finding(
            check: .slots,
            state: .notice,
            message: "the recovery code was never tested",
            reason: "a code that was written down wrongly is noticed too late",
            hint: "hsip vault slot test recovery"
        )
    }

    private static var kitNotTested: Finding {
        var finding = Finding(
            check: .slots,
            state: .notice,
            message: "the emergency kit was never tested",
            reason: "a page that cannot be read is noticed too late",
            hint: "hsip vault slot test recovery"
        )
        finding.code = "kitNotTested"
        return finding
    }

    /// A guess should cost what it costs in a new vault on this machine.
    private func keyDerivation(_ slot: SlotInfo) -> Finding? {
        guard let present = slot.parameters else { return nil }
        let wanted = PasswordHash.Parameters.ofThisMachine
        guard present.kibibytes < wanted.kibibytes || present.operations < wanted.operations else {
            return .fine(.keyDerivation, "a guess at slot \(slot.number) costs enough")
        }
        return Finding(
            check: .keyDerivation,
            state: .warning,
            message: "a guess at slot \(slot.number) is cheaper than in a new vault",
            reason: "a thief of the file can try more passphrases",
            hint: "hsip vault slot set \(slot.number)"
        )
    }

    private func lacksIdentity() -> Finding {
        Finding(
            check: .vaultFile,
            state: .warning,
            message: "the vault has no identity",
            reason: "without one you cannot pair",
            hint: "hsip init",
            fix: Finding.Fix(question: "Let hsip init make one?") {
                try config.update(place.key, of: store.vaultID) { $0.lacksIdentity = true }
            }
        )
    }
}
