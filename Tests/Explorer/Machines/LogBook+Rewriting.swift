internal import SharedLog
internal import VaultCrypto

extension LogBook {
    /// The book of a machine that makes a mistake, or of one that lies.
    func rewritten(
        head: LogHead? = nil,
        chain: ChainList? = nil,
        awaitsRekey: Bool? = nil
    ) -> LogBook {
        LogBook(
            machine: machine,
            head: head ?? self.head,
            epoch: epoch,
            key: key,
            state: state,
            chain: chain ?? self.chain,
            compaction: compaction,
            unfinished: unfinished,
            awaitsRekey: awaitsRekey ?? self.awaitsRekey,
            ownPlace: ownPlace,
            newestWhole: newestWhole
        )
    }
}

extension LogMachine {
    /// The slices of the state behind the head, small ones; nil if an object of the log is not at hand.
    func snapshot(_ book: LogBook, _ ever: [[UInt8]]) throws(LogError) -> [Secret]? {
        var objects: [ObjectID: SharedObject] = [:]
        for (record, fields) in records {
            objects[Self.id(record)] = try Self.object(record, fields)
        }
        for loss in losses {
            let lost: Secret
            do { lost = try Secret(copying: Array(loss.utf8)) } catch { throw LogError(error) }
            let conflict = try ConflictObject(
                object: Self.id(0),
                kind: 1,
                machine: id,
                time: 1,
                reason: 0,
                lost: lost
            )
            objects[conflict.id] = try SharedObject(
                kind: 8,
                id: conflict.id,
                name: "",
                content: try conflict.content()
            )
        }
        var stream = try StateStream.Writer(book.state, sliceSize: 400)
        var slices: [Secret] = []
        for id in book.state.objectIDs {
            guard let object = objects[id], let line = book.state[id], try object.digest() == line.digest
            else {
                return nil
            }
            slices += try stream.add(object, place: line.place)
        }
        return slices + (try stream.finish())
    }
}
