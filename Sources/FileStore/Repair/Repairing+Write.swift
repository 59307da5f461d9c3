internal import Files
package import RecordStore
internal import VaultCrypto

extension Repairing {
    /// Judges every row without writing anything.
    ///
    /// - Parameters:
    ///   - opened: The vault, opened by a secret.
    ///   - takesMissing: Whether records that only a backup has count as taken.
    ///   - isStopped: Whether it should end.
    ///   - isCompared: Whether a record of a kind decides about trust.
    ///   - visit: Is shown every row that the new vault would have.
    /// - Returns: what was found.
    /// - Throws: what `visit` throws; `outOfMemory`; what reading a backup throws; `cancelled`.
    package func look(
        _ opened: Opened,
        takesMissing: Bool,
        isStopped: () -> Bool = { false },
        isCompared: (RecordKind) -> Bool,
        showing visit: ((SealedRow) throws(StoreError) -> Void)? = nil
    ) throws(StoreError) -> SalvageReport {
        try judge(opened, takesMissing, isCompared, isStopped, showing: visit).report
    }

    /// Judges every row, writes the new vault, and reads it whole before it gets its name.
    ///
    /// It has the id, the key, the key epoch and the slots of the damaged one; its generation is above everything that was
    /// seen, and all its records predate a restore.
    ///
    /// - Parameters:
    ///   - opened: The vault, opened by a secret.
    ///   - takesMissing: Whether records that only a backup has are taken.
    ///   - isStopped: Whether it should end; then nothing is made.
    ///   - isCompared: Whether a record of a kind decides about trust.
    /// - Returns: what was found, and what the second reader found in the new vault.
    /// - Throws: `alreadyExists`; `diskFull`, `io`; `corrupt` where the new vault is not what was written; `cancelled`.
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

    /// Judges lane after lane; the rows that are kept go into the new vault, if there is one.
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

    /// Adds what the backups have of a lane that the damaged file has not, or only in an older version.
    ///
    /// - Returns: the names of it, where it is not taken.
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

    /// A row that is kept, with its body.
    private func sealed(_ row: FoundRow, _ finder: inout RowFinder) throws(StoreError) -> SealedRow {
        switch row.origin {
        case .damaged(let place):
            if let sealed = try finder.whole(at: PlaceList.Place(number: place), revision: row.revision) {
                return sealed
            }
        case .backup(let number):
            if let sealed = try backups[number].row(row.id) { return sealed }
        }
        // It was there a moment ago.
        throw .corrupt
    }
}
