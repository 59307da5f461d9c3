internal import RecordStore
internal import VaultCrypto

extension Shelf {
    /// Writes a record over what is there, and reads it back.
    ///
    /// One call decides: before it the old record counts, after it the new one. `decided` is called between it
    /// and the rest.
    ///
    /// - Throws: `commitUnknown` when the item does not hold what was written.
    func place(
        _ info: RecordInfo,
        _ body: Secret,
        over holding: Holding?,
        decided: () -> Void = {}
    ) throws(StoreError) {
        let draft = try codec.draft(info, body)
        if let old = holding?.current, old.form == .record, codec.form(of: info, body) == .record {
            try service.setSecret(draft.secret, of: old.path)
            decided()
            try confirm(draft.secret, at: old.path)
            if old.info.label != info.label || old.info.attributes != info.attributes {
                try service.describe(old.path, label: draft.label, attributes: draft.attributes)
            }
        } else {
            let path = try service.create(draft, in: collection)
            decided()
            try confirm(draft, at: path)
            if let old = holding?.current { try service.delete(old.path) }
        }
        for path in holding?.replaced ?? [] { try service.delete(path) }
    }

    /// Removes a record, the item that counts last: before that the record is there, after it is not.
    func remove(_ holding: Holding, decided: () -> Void = {}) throws(StoreError) {
        for other in holding.others { try service.delete(other.path) }
        try service.delete(holding.current.path)
        decided()
    }

    /// Finds that an item arrived as it was sent; of a plain one the attributes, too, since they hold the rest.
    func confirm(_ draft: ItemDraft, at path: ItemPath) throws(StoreError) {
        try confirm(draft.secret, at: path)
        guard draft.attributes[ItemNames.meta] != nil else { return }
        let facts = try service.facts(of: [path])
        guard let found = facts.first?.attributes,
            [ItemNames.meta, ItemNames.empty, ItemNames.kind, ItemNames.name, ItemNames.form]
                .allSatisfy({ found[$0] == draft.attributes[$0] })
        else { throw .commitUnknown }
    }

    /// Removes what was never finished and what was replaced, and sets right what the newest record is called.
    func tidy(_ shelved: Shelved) throws(StoreError) {
        for path in shelved.unfinished { try service.delete(path) }
        for holding in shelved.holdings.values {
            for path in holding.replaced { try service.delete(path) }
        }
        // Only the last change can have been cut off between the secret and its description.
        let newest = shelved.holdings.values.map(\.current).filter { $0.form == .record }
        guard let highest = newest.map(\.info.revision).max() else { return }
        for item in newest where item.info.revision == highest && !item.info.isNewer {
            try describe(item)
        }
    }

    /// Gives an item label and attributes of its record, if it has others.
    private func describe(_ item: RecordItem) throws(StoreError) {
        let (label, attributes) = (codec.label(item.info), codec.attributes(item.info, .record))
        guard let facts = try service.facts(of: [item.path]).first else { return }
        let isRight = facts.label == label && attributes.allSatisfy { facts.attributes[$0.key] == $0.value }
        guard !isRight else { return }
        try service.describe(item.path, label: label, attributes: attributes)
    }
}
