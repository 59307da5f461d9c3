internal import RecordStore
internal import VaultCrypto

/// What a reader knows before it asks for the first record.
struct KeyringView: Sendable {
    /// Header and generation.
    let known: Known
    /// A change set that has happened, though its items are not changed yet: only for a store that may not
    /// write, since every other one has carried it out before it reads.
    var redo: Redo?

    /// What the waiting change set makes of a record; nil when it leaves it alone, or is carried out already.
    func pending(_ id: RecordID, over info: RecordInfo?) -> Redo.Step? {
        guard let redo, info?.revision ?? 0 < redo.generation else { return nil }
        switch redo.steps.first(where: { $0.id == id }) {
        case .put(let info, let body)?: return .put(info.seen(under: known.header.floor), body)
        case let step: return step
        }
    }

    /// The records with the waiting change set carried out.
    func finished(_ infos: [RecordID: RecordInfo]) -> [RecordID: RecordInfo] {
        var infos = infos
        for step in redo?.steps ?? [] {
            switch pending(step.id, over: infos[step.id]) {
            case .put(let info, _)?: infos[step.id] = info
            case .delete?: infos[step.id] = nil
            case nil: break
            }
        }
        return infos
    }
}

extension RecordInfo {
    /// The same under a floor that was not known when it was read.
    fileprivate func seen(under floor: UInt64) -> RecordInfo {
        RecordInfo(
            id: id,
            revision: revision,
            uid: uid,
            created: created,
            modified: modified,
            expires: expires,
            label: label,
            attributes: attributes,
            predatesRestore: revision < floor
        )
    }
}
