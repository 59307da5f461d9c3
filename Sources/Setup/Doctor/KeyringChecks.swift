internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// Where the vault is kept and why, and whether the keyring of this session answers.
///
/// No one is asked, and nothing is unlocked.
package struct KeyringChecks {
    let context: CheckContext

    private var place: VaultPlace { context.place }
    private var record: VaultRecord? { context.record }

    package init(_ context: CheckContext) { self.context = context }

    package func findings() -> [Finding] {
        var found = [environment(), choice()].compactMap(\.self)
        do throws(StoreError) {
            let service = try context.connect()
            let collections = try service.collections()
            found.append(reached(collections))
            if let finding = left(in: service) { found.append(finding) }
            // A keyring that fails now is reported by whatever opens the vault.
            return found + strangers((try? SecretServiceStore.vaults(in: service)) ?? [])
        } catch {
            return found + [unreached(error)]
        }
    }

    private func environment() -> Finding? {
        HostEnvironment.here(context.environment).words.map { .fine(.backend, "hsip runs \($0)") }
    }

    private func choice() -> Finding? {
        guard let record, let backend = record.backend else { return nil }
        let target = backend == .file ? "an encrypted file" : "the keyring \(shown(record.label))"
        let reason = record.reason.map { ", because \($0.text)" } ?? ""
        return .fine(.backend, "the vault is kept in \(target)\(reason)")
    }

    private func reached(_ collections: [CollectionInfo]) -> Finding {
        guard case .keyring(let path, let label) = record?.storage else {
            let standard = collections.first(where: \.isDefault)
            let state = standard.map {
                $0.isLocked ? "its default keyring is locked" : "its default keyring is open"
            }
            return .fine(.backend, "a keyring service is running, \(state ?? "without a default keyring")")
        }
        guard let collection = collections.first(where: { $0.path == path }) else {
            return Finding(
                check: .backend,
                state: .warning,
                message: "the running keyring service has no keyring \(shown(label))",
                reason:
                    "the vault is in that keyring; another program or another login may serve the keyrings now",
                hint: "secret-tool search --all xdg:schema io.hsip.vault.Header"
            )
        }
        guard collection.isLocked else {
            let name = shown(collection.label)
            return .fine(.backend, "a keyring service is running, and the keyring \(name) is open")
        }
        return Finding(
            check: .backend,
            state: .notice,
            message: "the keyring \(shown(collection.label)) is locked, so hsip could not check its content",
            reason: "hsip doctor does not ask for the keyring's password",
            hint: "hsip vault check  at the desktop asks for the password"
        )
    }

    private func unreached(_ error: StoreError) -> Finding {
        if record?.backend == .secretService {
            return .problem(
                .backend,
                Failure(error),
                reason: "hsip uses no other vault, so that no empty vault replaces yours"
            )
        }
        let text = error.explanation.message
        return .fine(.backend, "\(text); a vault in a file needs no keyring")
    }

    /// What the keyring keeps for a vault file that has no key slot there any more.
    private func left(in service: SecretService) -> Finding? {
        guard record?.backend == .file, let overview = try? FileStore.overview(at: place.paths),
            !overview.has(.secretService),
            let found = try? KeyringSlot.find(overview.vaultID, in: service), !found.slots.isEmpty
        else { return nil }
        return .leftInKeyring {
            for slot in found.slots { try slot.remove(service) }
            try KeyringAnchor.remove(overview.vaultID, service)
        }
    }

    /// Vaults that are in the keyring and in no record; a locked one hides which it is.
    private func strangers(_ vaults: [KeyringVault]) -> [Finding] {
        let known = ((try? context.config.records()) ?? [:]).values.map(\.id)
        let present = fileID
        return vaults.filter { !$0.isLocked }.compactMap { vault in
            if vault.vaultID == present { return forgotten(vault) }
            return known.contains(vault.vaultID) ? nil : stranger(vault)
        }
    }

    /// Which vault the file is; nil where there is none, or it is the old copy itself.
    private var fileID: [UInt8]? {
        guard record?.backend != .secretService, Path.exists(place.file), !place.isOldCopy else { return nil }
        return record?.id ?? (try? FileStore.overview(at: place.paths))?.vaultID
    }

    /// What the vault of the file was before it moved there, where nothing remembers that any more.
    private func forgotten(_ vault: KeyringVault) -> Finding? {
        let isKept = record?.kept.contains { $0.location.backend == .secretService } == true
        guard !isKept, record?.move == nil else { return nil }
        return Finding(
            check: .keyring,
            state: .notice,
            message: "an old copy of this vault is in the keyring",
            reason:
                "the vault moved to the file, but the move is not recorded, so hsip does not remove the copy"
        )
    }

    private func stranger(_ vault: KeyringVault) -> Finding {
        guard record == nil, vault.name == place.key, !Path.exists(place.file) || place.isOldCopy else {
            // Only a name that does nothing in a shell or at a terminal is put into a command to copy.
            let name = shown(vault.name) == vault.name ? ShellWord.quoted(vault.name) : "NAME"
            return Finding(
                check: .keyring,
                state: .notice,
                message: "the keyring has a vault \(shown(vault.name)) that is not recorded on this machine",
                reason: "the vault may belong to another home folder, or its record was lost",
                hint: "hsip --vault \(name) doctor --fix  records the vault, if it is yours"
            )
        }
        return .problem(
            .keyring,
            Failure(
                OpeningError.misplaced(.unrecordedInKeyring(name: place.key)).explanation(
                    context.display
                )
            ),
            reason: "hsip init makes no empty vault beside this one",
            fix: adopt(vault)
        )
    }

    /// Names that other programs gave, fit for a terminal.
    private func shown(_ name: String) -> String { context.display.cell(name) }

    private func adopt(_ vault: KeyringVault) -> Finding.Fix {
        let id = Hex.encode(Array(vault.vaultID.prefix(4)))
        return Finding.Fix(question: "Is the vault \(id)… in the keyring yours? Use this vault") {
            let label = try context.connect().collections().first { $0.path == vault.collection }?.label
            let new = VaultRecord(
                id: vault.vaultID,
                collection: vault.collection,
                label: label ?? "",
                reason: .asked
            )
            try context.config.change(place.key) { present throws(Failure) in
                guard present == nil else { throw RecordCheck.changed }
                return new
            }
        }
    }
}
