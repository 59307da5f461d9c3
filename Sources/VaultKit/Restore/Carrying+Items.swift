internal import RecordStore
internal import ServiceFormats
internal import VaultPolicy

/// Items of programs: who may have them without a question does not grow again by a restore.
extension Carrying {
    /// Of an item that both have: the trash, the newer owner, and only the readers that both name.
    ///
    /// One that cannot be read in either stays as it is in the copy.
    static func items(
        _ newer: any RecordReader,
        _ copy: any RecordReader
    ) throws(VaultError) -> [Change] {
        do {
            let kind = try RecordKind(ItemRecord.kind)
            var changes: [Change] = []
            for info in try copy.survey(kind).records where !info.isNewer {
                guard let since = try newer.info(info.id), !since.isNewer, since.uid == info.uid,
                    let new = try? ItemRecord(since), let old = try? ItemRecord(info),
                    let found = try copy.find(info.id)
                else { continue }
                var record = old
                var content = try ItemContent(content: found.body)
                record.owner = new.owner
                record.readers = old.readers.filter(new.readers.contains)
                if old.removedAt == nil, let removed = new.removedAt {
                    (record.removedAt, content.removedAt) = (removed, removed)
                }
                guard record != old else { continue }
                record.changed = old.lastChange
                let body = try content.content()
                record = record.measured(by: body)
                let draft = RecordDraft(
                    id: info.id,
                    label: record.recordLabel,
                    attributes: try record.recordAttributes(),
                    expires: info.expires,
                    body: body,
                    uid: info.uid,
                    created: info.created
                )
                changes.append(.put(draft, expecting: info.revision))
            }
            return changes
        } catch {
            throw VaultError(item: error)
        }
    }
}
