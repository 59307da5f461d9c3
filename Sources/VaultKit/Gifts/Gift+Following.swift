internal import HSIP
internal import RecordStore
internal import Secrets

extension RecordReader {
    /// The changes by which gifts follow what an act does to secrets.
    ///
    /// - Parameters:
    ///   - renamings: secrets that have another name now; those of other kinds are passed over.
    ///   - changes: what the act writes: of a secret that is deleted by it, nothing is remembered by which its values
    ///     could be guessed.
    ///   - known: records of gifts that the act writes itself.
    /// - Returns: what has to be written besides.
    /// - Throws: what reading the records throws.
    func giftChanges(
        following renamings: [Renaming],
        _ changes: [Change],
        besides known: Set<RecordID> = []
    ) throws -> [Change] {
        let renamings = renamings.filter { $0.kind == Credential.recordKind }
        let moved = Set(renamings.map(\.old))
        var gone: Set<String> = []
        for case .delete(let id, _) in changes
        where id.kind.rawValue == Credential.recordKind && !moved.contains(id.name) { gone.insert(id.name) }
        var following: [Change] = []
        for renaming in renamings {
            let uid = try info(Credential.self, renaming.old)?.uid
            for (gift, revision) in try gifts(where: ["secret": renaming.old]) where gift.isOf(uid) {
                var gift = gift
                gift.secret = renaming.new
                let draft = try gift.draft()
                if !known.contains(draft.id) { following.append(.put(draft, expecting: revision)) }
            }
        }
        guard !gone.isEmpty else { return following }
        for (gift, revision) in try gifts() where gone.contains(gift.secret) {
            guard gift.isOf(try info(Credential.self, gift.secret)?.uid) else { continue }
            var gift = gift
            gift.forgetContent()
            let draft = try gift.draft()
            if !known.contains(draft.id) { following.append(.put(draft, expecting: revision)) }
        }
        return following
    }

    /// The changes by which the gifts of a contact follow to the key that took the place of theirs.
    func giftChanges(from old: PeerID, to new: PeerID) throws -> [Change] {
        var changes: [Change] = []
        for (gift, revision) in try gifts(where: ["contact": old.hex]) {
            var gift = gift
            gift.contact = new
            changes.append(.put(try gift.draft(), expecting: revision))
        }
        return changes
    }
}
