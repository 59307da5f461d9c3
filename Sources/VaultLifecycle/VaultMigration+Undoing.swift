internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text

extension VaultMigration {
    /// Frees the path of the new file.
    ///
    /// Drafts and whole files of stopped moves are removed, and an old copy of this vault is renamed. Anything else
    /// stays and stops the move.
    func makeRoom(above epoch: UInt32) throws {
        guard case .file(let place, _) = target else { return }
        try FileStore.removeDrafts(at: place.paths)
        guard Path.exists(place.file) else { return }
        guard let overview = try? FileStore.overview(at: place.paths), overview.vaultID == record.id,
            overview.epoch <= epoch + 1
        else { throw MigrationError.taken(path: place.file) }
        guard overview.epoch <= epoch else { return try FileStore.remove(place.file) }
        let aside = freeName(beside: place.file)
        // The name is recorded first: a recorded file that does not exist does no harm, an unrecorded file would.
        try locator.config.change(locator.place.key) { present in
            guard var present else { return nil }
            var kept = present.kept.filter { $0.location != .file(place.file) }
            let until = present.kept.first { $0.location == .file(place.file) }?.until
            kept.append(KeptCopy(.file(aside), until: until ?? now() + KeptCopy.span))
            present.kept = kept
            return present
        }
        try FileStore.moveAside(place.paths, to: aside)
    }

    private func freeName(beside path: String) -> String {
        var time = now()
        while true {
            let digits = Times.rfc3339(time).filter(\.isNumber)
            let name = "\(path).kept-\(digits.prefix(8))-\(digits.dropFirst(8))"
            if !Path.exists(name) { return name }
            time += 1
        }
    }

    /// Removes every trace of a copy that does not count; if that fails, the note stays and `doctor` reports it.
    ///
    /// - Returns: Whether everything was removed.
    func undo(_ note: MoveNote) -> Bool {
        // A copy that already counts is never removed: only its answer was lost.
        guard let present = try? locator.settledRecord(), present.move == note else { return false }
        var service: SecretService?
        if case .keyring(let keyring, _, _, _) = target { service = keyring }
        do {
            try MigrationLeftovers.remove(note, of: record.id, at: locator, service)
            return true
        } catch {
            return false
        }
    }
}
