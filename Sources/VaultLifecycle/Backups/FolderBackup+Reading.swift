package import FileStore
package import RecordStore
internal import VaultCrypto

/// Backups whose copies are read by another process, which has the vault open.
extension FolderBackup {
    /// The same through another process, which has the vault open and reads the copies with its keys.
    ///
    /// - Parameters:
    ///   - read: reads a copy whole, by its absolute path; throws `StoreError`.
    ///   - retention: which copies stay.
    ///   - progress: Shows the progress.
    ///   - now: Unix seconds.
    /// - Returns: the copy, and which copies were removed.
    /// - Throws: `busy`; `conflict` if the copy was replaced meanwhile; what making and reading the copy throws.
    package func run(
        readingBy read: (String) async throws -> CopyReport,
        keeping retention: Retention,
        showing progress: any Progress,
        now: Int64
    ) async throws -> Outcome {
        let lock = try lock()
        defer { lock.giveBack() }
        let made = try await readCopy(by: read, showing: progress, now: now)
        let memory = remember(made, at: now)
        guard made.check == .full else { return outcome(made) }
        var whole: [(copy: BackupCopy, generation: UInt64)] = []
        for copy in try folder.copies(beside: made) {
            if let known = memory.generation(ofWhole: copy), known > 0 {
                whole.append((copy, known))
            } else if let report = try? await read(copy.path), report.damaged.isEmpty,
                report.headTag == copy.tag
            {
                whole.append((copy, report.position.generation))
            }
        }
        let (removed, left) = try folder.thin(whole, after: made, keeping: retention)
        return thinned(made, removed, left)
    }

    /// Makes a copy, or finds the present one, and has it read; a damaged copy that was found is not used.
    private func readCopy(
        by read: (String) async throws -> CopyReport,
        showing progress: any Progress,
        now: Int64
    ) async throws -> MadeBackup {
        let vault = try SealedVault(place.paths, entropy: .system)
        var passed: Set<String> = []
        var damaged: MadeBackup?
        while true {
            let passing = passed
            let made = try progress.during(.backingUp) { () throws(StoreError) in
                try vault.backUp(into: folder, at: now, passing: passing) { _ in nil }
            }
            do {
                guard let found = made.read(try await read(made.copy.path)) else { throw StoreError.conflict }
                if found.check == .damaged, !found.isNew {
                    damaged = damaged ?? found
                    passed.insert(found.copy.path)
                    continue
                }
                // A vault with damaged records is not copied again and again.
                guard let damaged, found.damaged == damaged.damaged else { return found }
                _ = try folder.remove([found.copy])
                return damaged
            } catch let error as StoreError where !made.isNew && error.isOfCopy {
                passed.insert(made.copy.path)
            }
        }
    }
}

extension StoreError {
    /// Whether it says that the file is damaged, or another one.
    fileprivate var isOfCopy: Bool {
        switch self {
        case .tampered, .corrupt, .schemaTampered, .notAVault, .notFound, .conflict, .unsafeFile: true
        default: false
        }
    }
}
