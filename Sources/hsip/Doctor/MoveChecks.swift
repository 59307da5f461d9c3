internal import Console
internal import FileStore
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
internal import VaultLifecycle

/// Old copies of a vault that was moved, and moves that were stopped.
struct MoveChecks {
    let place: VaultPlace
    let record: VaultRecord?
    let context: Context

    func findings() -> [Finding] {
        guard let record else { return [] }
        return record.kept.map { kept($0, record) } + (record.move.map { [interrupted($0, record)] } ?? [])
    }

    private func kept(_ copy: KeptCopy, _ record: VaultRecord) -> Finding {
        let location = copy.location.text(context)
        guard copy.until <= context.now else {
            return .fine(.keptCopies, "an old copy in \(location) is kept until \(Times.date(copy.until))")
        }
        return Finding(
            check: .keptCopies,
            state: .notice,
            message: "an old copy of the vault is still in \(location)",
            reason:
                "it was kept for 30 days after the move; whoever has its secret reads what was in it then",
            hint: "hsip doctor --fix",
            fix: Finding.Fix(question: "Remove the old copy in \(location)?") { try remove(copy, record) }
        )
    }

    /// Removes an old copy, unless the vault is there again by now.
    func remove(_ copy: KeptCopy, _ record: VaultRecord) throws {
        let lock = try context.moveLock(place, record.id)
        defer { withExtendedLifetime(lock) {} }
        guard let present = try context.settledRecord(place), present.id == record.id,
            let location = present.location, location != copy.location, present.kept.contains(copy)
        else { throw MoveRefusal.overtaken }
        switch copy.location {
        case .keyring:
            guard location.backend == .file else { throw MoveRefusal.overtaken }
            let service = try context.connect(context.patience)
            try SecretServiceStore.erase(vaultID: record.id, service: service)
        case .file(let path):
            let paths = VaultPaths(vault: path, anchorFolder: place.paths.anchorFolder)
            if Path.exists(path) {
                // Whatever was put there meanwhile is not ours to remove.
                guard try FileStore.glance(at: paths).vaultID == record.id else {
                    throw MoveRefusal.taken(path)
                }
                try FileStore.remove(path)
            }
            forgetSlots(of: record, but: copy)
        }
        try context.config(place).change(place.key) { present in
            guard var present else { return nil }
            present.kept = present.kept.filter { $0 != copy }
            return present
        }
    }

    /// What the keyring kept for a vault file is of no use when the last one is gone; if it cannot be reached now,
    /// it does no harm.
    private func forgetSlots(of record: VaultRecord, but copy: KeptCopy) {
        let files = record.kept.count { $0.location.backend == .file && $0 != copy }
        guard record.location?.backend == .secretService, files == 0,
            let service = try? context.connect(.probe),
            let found = try? KeyringSlot.find(record.id, in: service)
        else { return }
        for slot in found.slots { try? slot.remove(service) }
        try? KeyringAnchor.remove(record.id, service)
    }

    private func interrupted(_ note: MoveNote, _ record: VaultRecord) -> Finding {
        let target = note.target.text(context)
        return Finding(
            check: .keptCopies,
            state: .warning,
            message: "a move of the vault to \(target) was stopped on \(Times.date(note.started))",
            reason: "the vault is where it was; what had been copied by then is of no use",
            hint: "hsip vault migrate --to \(note.target.backend.rawValue)",
            fix: Finding.Fix(question: "Remove what the move left in \(target)?") {
                try forget(note, record)
            }
        )
    }

    /// Whether the vault itself is where it was recorded; what a move left might be all there is.
    private func isThere(_ record: VaultRecord) throws(StoreError) -> Bool {
        switch record.location {
        case .file(let path): Path.exists(path)
        case .keyring:
            try SecretServiceStore.keyEpoch(of: record.id, in: context.connect(context.patience)) != nil
        case nil: false
        }
    }

    private func forget(_ note: MoveNote, _ record: VaultRecord) throws {
        let lock = try context.moveLock(place, record.id)
        defer { withExtendedLifetime(lock) {} }
        guard let present = try context.settledRecord(place), present.move == note else {
            throw MoveRefusal.overtaken
        }
        guard try isThere(present) else { throw MoveRefusal.lastCopy }
        let service = note.target.backend == .file ? nil : try context.connect(context.patience)
        try Leftovers.remove(
            from: note.target,
            of: record.id,
            epoch: note.position.epoch,
            place.paths,
            service
        )
        try context.config(place).change(place.key) { present in
            guard var present, present.move == note else { return present }
            present.move = nil
            return present
        }
    }
}
