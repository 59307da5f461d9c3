internal import Files
internal import RecordStore

extension Restoring {
    /// The facts of the existing vault that the backup must not forget; nil if it is another vault, or
    /// unreadable.
    ///
    /// - Throws: `conflict` if another process committed meanwhile.
    borrowing func carried(
        _ opened: borrowing OpenedCopy,
        at live: UInt64,
        _ remembered: [AnchorText],
        _ carrying: (any RecordReader, any RecordReader, _ isWhole: Bool) -> [Change]?
    ) throws(StoreError) -> [Change]? {
        guard live > 0, let connection = try? Connection(paths.vault, .queryOnly),
            let backup = try? Connection(copy.draft, .immutable), let reader = try? reader(opened)
        else { return nil }
        var (changes, found): ([Change]?, UInt64?)
        do throws(StoreError) {
            try connection.read { rows throws(StoreError) in
                let row = try rows.head()
                let head = try reader.observe(row)
                found = head.generation
                let text = AnchorText(row, head)
                // Nothing newer was seen here, and something was: else it may be an old copy itself.
                let isWhole =
                    !remembered.isEmpty
                    && remembered.allSatisfy { seen in
                        seen.position < text.position || seen == text
                    }
                try backup.read { draft throws(StoreError) in
                    let old = try opened.sealer.observe(draft.head())
                    changes = carrying(
                        SealedReader(reader, rows, head),
                        SealedReader(opened.sealer, draft, old),
                        isWhole
                    )
                }
            }
        } catch {
            return nil
        }
        guard found == live else { throw .conflict }
        return changes
    }

    /// A reader of the vault in place by the key of the backup.
    private borrowing func reader(_ opened: borrowing OpenedCopy) throws(StoreError) -> Sealer {
        try Sealer(
            keys: opened.sealer.keys,
            vaultID: vaultID,
            epoch: opened.sealer.epoch,
            entropy: entropy,
            now: now
        )
    }

    /// How far the vault that is in place went, where it is the same one and can be read.
    ///
    /// - Throws: `rollback` where its key has changed since the backup.
    borrowing func generationInPlace(_ opened: OpenedCopy) throws(StoreError) -> UInt64 {
        guard try FileFacts(paths.vault) != nil else { return 0 }
        let head: HeadRow
        do throws(StoreError) {
            head = try Connection(paths.vault, .queryOnly).read { rows throws(StoreError) in try rows.head() }
        } catch .io(let code) {
            // A disk that cannot be read just now is not a vault that cannot be read.
            throw .io(code: code)
        } catch .busy {
            throw .busy
        } catch {
            return 0
        }
        let found = opened.report.position
        guard head.vaultID != vaultID || head.epoch <= found.epoch else {
            throw .rollback(found: found, expected: Position(epoch: head.epoch, generation: found.generation))
        }
        let reader = try reader(opened)
        return (try? reader.observe(head))?.generation ?? 0
    }
}
