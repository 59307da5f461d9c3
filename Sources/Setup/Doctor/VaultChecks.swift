internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
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

    var place: VaultPlace { context.place }
    var config: ConfigFile { context.config }
    var now: Int64 { context.now }

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
        switch store {
        case .keyring(let store):
            // Where a record cannot be read, that was found above.
            let oldest = try? store.read { reader throws(StoreError) in
                try reader.list(nil).map(\.created).min()
            }
            found += BackupChecks(context, store.vaultID)
                .findings(
                    ofVaultMade: oldest.map { Int64(clamping: $0 / 1_000) },
                    epoch: try store.status().position.epoch
                )
        case .file(let store):
            found += try slots(store)
            found += await SharesChecks.findings(try store.slots(), vault)
            let oldest = try store.slots().map(\.created).min().map { Int64(clamping: $0 / 1_000) }
            found += BackupChecks(context, store.vaultID)
                .findings(ofVaultMade: oldest, epoch: try store.status().position.epoch)
            if let companion {
                found += try KeyringSlotChecks(place: place, store: store, companion: companion, now: now)
                    .findings()
            }
        }
        // What cannot be read of them was found above.
        if let secrets = try? await SecretChecks.finding(vault, now: now) { found.append(secrets) }
        if let items = try? await ItemChecks.finding(vault) { found.append(items) }
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

    /// What this machine remembers of the backups of a vault that it cannot open.
    package static func backups(_ context: CheckContext) -> [Finding] {
        guard let record = context.record else { return [] }
        return BackupChecks(context, record.id).findings(ofVaultMade: nil)
    }

    /// What the clock and the sessions say, each as far as it can be read.
    ///
    /// - Throws: `noIdentity`; `tampered` where a record is damaged that the sessions depend on.
    package static func people(_ vault: any VaultService, now: Int64) async throws -> [Finding] {
        var found: [Finding] = []
        var openOffers = 0
        do {
            _ = try await vault(Operations.identity)
            found.append(try await ClockCheck(vault: vault, now: now).finding())
            openOffers = try await vault.openOffers().count
        } catch VaultError.store(.tampered(let part)) {
            found.append(unreadable(part))
        }
        return found
            + SessionChecks.findings(
                try await vault(Operations.contacts, .kept),
                try await vault(Operations.hostKeys, nil),
                openOffers: openOffers,
                now: now
            )
    }

    /// The identity or the clock mark, without which nothing is stamped or sealed.
    private static func unreadable(_ part: TamperedPart) -> Finding {
        let failure = Failure(StoreError.tampered(part))
        return .problem(.clock, failure, reason: "hsip sends and stores nothing without this record")
    }

    private func anchor() -> Finding {
        guard store.noted.contains(.anchorMissing) else {
            return .fine(.anchor, "hsip would notice an older copy of the vault")
        }
        return Finding(
            check: .anchor,
            state: .warning,
            message:
                "this machine had no record of the vault's last state: the vault counts as restored from a backup",
            reason:
                "another machine may use the same vault; from now on hsip notices an older copy",
            hint: "hsip status  lists what to renew and verify"
        )
    }

    private func lacksIdentity() -> Finding {
        Finding(
            check: .vaultFile,
            state: .warning,
            message: "the vault has no identity",
            reason: "you need an identity to pair",
            hint: "hsip init",
            fix: Finding.Fix(question: "Let hsip init make an identity?") {
                try config.update(place.key, of: store.vaultID) { $0.lacksIdentity = true }
            }
        )
    }
}

/// Items of programs that have no owner.
package enum ItemChecks {
    /// Nothing where each has one; owners lie beside the names, so no value is opened for it.
    package static func finding(_ vault: any VaultService) async throws -> Finding? {
        let ids = try await vault(Operations.itemSearch, ItemSearch()).open.map(\.id)
        guard !ids.isEmpty else { return nil }
        let count = try await vault.itemViews(ids).count { $0.details.map { $0.owner == nil } ?? false }
        guard count > 0 else { return nil }
        return Finding(
            check: .provider,
            state: .notice,
            message:
                "\(count) item\(count == 1 ? "" : "s") of programs \(count == 1 ? "is" : "are") without an owner",
            reason: "the agent asks once for each program and item",
            hint: "hsip item set ID --owner PROGRAM"
        )
    }
}

/// Shares that contacts hold, beside the key slot that they open.
enum SharesChecks {
    /// A finding for each sharing of which contacts hold words that open nothing here.
    static func findings(_ slots: [SlotInfo], _ vault: any VaultService) async -> [Finding] {
        let open = Set(slots.compactMap { Sharing($0)?.label })
        // What cannot be read of gifts was found elsewhere.
        let gifts = (try? await vault(Operations.gifts, nil, nil)) ?? []
        let lost = gifts.filter { gift in
            gift.isMine && gift.withdrawnAt == nil && gift.current == nil && gift.contact != nil
                && Sharing(label: gift.secret) != nil && !open.contains(gift.secret)
        }
        return Dictionary(grouping: lost, by: \.secret).sorted { $0.key < $1.key }.map { label, gifts in
            let display = Display(isUTF8: true)
            let names = gifts.compactMap(\.contact)
            let first = names.first ?? ""
            return Finding(
                check: .slots,
                state: .notice,
                message: "shares that do not open this vault: \(label), held by "
                    + names.map { display.name($0) }.joined(separator: ", "),
                reason:
                    "the key slot of the shares was removed or never made; they may still open old copies",
                hint: "hsip secret withdraw \(ShellWord.quoted(label)) --from \(ShellWord.quoted(first))"
            )
        }
    }
}
