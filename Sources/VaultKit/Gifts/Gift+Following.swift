internal import HSIP
internal import RecordStore
internal import Secrets

extension RecordReader {
    /// The changes that keep gifts up to date with an operation on secrets.
    ///
    /// - Parameters:
    ///   - renamings: the renamed records; records that are not secrets are ignored.
    ///   - changes: the changes of the operation. For a deleted secret, the gift loses the digest with which a person
    ///     could guess its values.
    ///   - known: gift records that the operation itself writes.
    /// - Returns: the additional changes to write.
    /// - Throws: the errors of reading the records.
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

    /// The changes that assign the gifts of a contact to the contact's new key.
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
