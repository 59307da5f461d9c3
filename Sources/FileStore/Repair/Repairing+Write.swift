internal import Files
package import RecordStore
internal import VaultCrypto

extension Repairing {
    /// Judges every row without writing anything.
    ///
    /// - Parameters:
    ///   - opened: The vault, opened by a secret.
    ///   - takesMissing: Whether records that only a backup has count as restored.
    ///   - isStopped: Whether to stop.
    ///   - isCompared: Whether a record of a kind decides about trust.
    ///   - visit: Gets every row that the new vault would have.
    /// - Returns: the findings.
    /// - Throws: what `visit` throws; `outOfMemory`; the errors of reading a backup; `cancelled`.
    package func look(
        _ opened: Opened,
        takesMissing: Bool,
        isStopped: () -> Bool = { false },
        isCompared: (RecordKind) -> Bool,
        showing visit: ((SealedRow) throws(StoreError) -> Void)? = nil
    ) throws(StoreError) -> SalvageReport {
        try judge(opened, takesMissing, isCompared, isStopped, showing: visit).report
    }

    /// Judges every row, writes the new vault, and reads it completely before it gets its name.
    ///
    /// The new vault has the id, key, key epoch and slots of the damaged one. Its generation is above every generation
    /// seen, and all its records count as written before a restore.
    ///
    /// - Parameters:
    ///   - opened: The vault, opened by a secret.
    ///   - takesMissing: Whether to restore records that only a backup has.
    ///   - isStopped: Whether to stop; then no vault is made.
    ///   - isCompared: Whether a record of a kind decides about trust.
    /// - Returns: the findings, and the second reader's findings in the new vault.
    /// - Throws: `alreadyExists`; `diskFull`, `io`; `corrupt` if the new vault differs from what was written;
    ///   `cancelled`.
    package func write(
        _ opened: Opened,
        takesMissing: Bool,
        isStopped: () -> Bool = { false },
        isCompared: (RecordKind) -> Bool
    ) throws(StoreError) -> (report: SalvageReport, vault: VerifyReport) {
        guard let new else { throw .notFound }
        let copy = try CopyFile.begin(beside: new, entropy)
        var written: SalvageReport?
        try Creation.write(copy.draft) { rows throws(StoreError) in
            let (report, head) = try judge(opened, takesMissing, isCompared, isStopped) {
                row throws(StoreError) in try rows.insert(row)
            }
            let row = try head.sealed(
                above: max(opened.newest, report.newest),
                vaultID: opened.vault.id,
                epoch: opened.vault.epoch,
                keys: opened.keys,
                entropy: entropy
            )
            try rows.create(row, opened.slots.slots)
            written = report
        }
        let reader = try Sealer(
            keys: opened.keys,
            vaultID: opened.vault.id,
            epoch: opened.vault.epoch,
            entropy: entropy,
            now: now
        )
        let found = try Connection(copy.draft, .immutable).read { rows throws(StoreError) in
            try FileStore.verify(rows, reader)
        }
        guard let report = written, found.records == report.kept else { throw .corrupt }
        guard !isStopped() else { throw .cancelled }
        try copy.finish(at: new)
        return (report, found)
    }

    /// Judges the lanes one after the other; rows that are kept go into the new vault, if there is one.
    private func judge(
        _ opened: Opened,
        _ takesMissing: Bool,
        _ isCompared: (RecordKind) -> Bool,
        _ isStopped: () -> Bool,
        showing visit: ((SealedRow) throws(StoreError) -> Void)?
    ) throws(StoreError) -> (report: SalvageReport, head: SalvagedHead) {
        var finder = RowFinder(
            images: source.images,
            appraisal: try RowAppraisal(keys: opened.keys),
            countsAll: opened.isHeadBehindCommits
        )
        var head = try SalvagedHead(slots: opened.slots.slots, keys: opened.keys)
        var report = SalvageReport(
            head: opened.head,
            epoch: opened.vault.epoch,
            newest: opened.newest,
            areSlotsVouched: opened.slots.isVouched,
            laterEpoch: opened.laterEpoch
        )
        for lane in 0..<HeadContent.laneCount {
            guard !isStopped() else { throw .cancelled }
            var found = LaneSalvage()
            for place in carved.places[lane] {
                if let row = try finder.find(at: place, besides: found) { found.add(row) }
            }
            var verdict = found.judged(lane: lane, by: opened.head, backups: opened.backups)
            if verdict.state != .vouched {
                for name in try add(backupsOf: lane, to: &found, isTaken: takesMissing, &finder) {
                    report.add(onlyInBackup: name)
                }
                if takesMissing {
                    verdict = found.judged(lane: lane, by: opened.head, backups: opened.backups)
                }
            }
            report.add(verdict, isCompared: isCompared)
            for (row, _) in verdict.kept {
                head.add(row)
                if let visit { try visit(try sealed(row, &finder)) }
            }
        }
        report.isCutShort = isCutShort || finder.isCutShort
        return (report, head)
    }

    /// Adds records of a lane that only the backups have, or that they have in a newer version.
    ///
    /// - Returns: the names of those records, if they are not restored.
    private func add(
        backupsOf lane: Int,
        to found: inout LaneSalvage,
        isTaken: Bool,
        _ finder: inout RowFinder
    ) throws(StoreError) -> [SalvagedName?] {
        var others = found
        var names: [RowID: SalvagedName] = [:]
        for (number, backup) in backups.enumerated() {
            try backup.each(inLane: lane) { row throws(StoreError) in
                guard let other = try finder.appraise(row, from: .backup(number)), other.isWhole,
                    other.revision > others[other.id]?.revision ?? 0
                else { return }
                others.add(other)
                names[other.id] = other.name
            }
        }
        if isTaken { found = others }
        return isTaken ? [] : names.sorted { $0.key < $1.key }.map(\.value)
    }

    /// A kept row, with its body.
    private func sealed(_ row: FoundRow, _ finder: inout RowFinder) throws(StoreError) -> SealedRow {
        switch row.origin {
        case .damaged(let place):
            if let sealed = try finder.whole(at: PlaceList.Place(number: place), revision: row.revision) {
                return sealed
            }
        case .backup(let number):
            if let sealed = try backups[number].row(row.id) { return sealed }
        }
        // The row was found a moment ago.
        throw .corrupt
    }
}
