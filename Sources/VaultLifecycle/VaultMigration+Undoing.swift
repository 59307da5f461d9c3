internal import FileStore
internal import RecordStore
internal import SecretServiceStore
internal import System
internal import Text

extension VaultMigration {
    /// Frees the place of a file: drafts and whole files of moves that were stopped go, an old copy of this vault
    /// gets another name, and anything else stays and stops the move.
    func makeRoom(above epoch: UInt32) throws {
        guard case .file(let place, _) = target else { return }
        try FileStore.removeDrafts(at: place.paths)
        guard Path.exists(place.file) else { return }
        guard let overview = try? FileStore.overview(at: place.paths), overview.vaultID == record.id,
            overview.epoch <= epoch + 1
        else { throw MigrationError.taken(path: place.file) }
        guard overview.epoch <= epoch else { return try FileStore.remove(place.file) }
        let aside = freeName(beside: place.file)
        // Written down first: a file that is not there yet is no harm, one that is not known would be.
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

    /// Leaves no trace of a copy that does not count; where that fails the note stays, and `doctor` tells.
    ///
    /// - Returns: Whether nothing is left.
    func undo(_ note: MoveNote) -> Bool {
        // A copy that counts already is never taken away: what failed was only the answer.
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
