import SharedLog
import VaultCrypto

/// A log of two keepers, made here.
struct LogSample {
    let keys: [MachineKeys]
    var book: LogBook
    let founding: [WrittenEntry]
    let admission: WrittenEntry
    let admissionKey: Secret

    init(objects: [SharedObject] = [], sliceSize: Int = LogLimits.part) throws {
        keys = try (0..<3).map { try MachineKeys(entropy: .seeded([UInt8($0)])) }
        let log = LogID(digest: [UInt8](repeating: 3, count: 16))
        let signer = EntrySigner(keys: keys[0], time: 1, generation: 1, entropy: .system)
        let founded = try LogBook.founding(log, name: "one", objects: objects, sliceSize: sliceSize, signer)
        (book, founding) = (founded.book, founded.entries)
        let two = try LogOperation.Admission(
            signKey: keys[1].signKey,
            boxKey: keys[1].boxKey,
            role: .keeper,
            name: "two",
            log: log,
            by: keys[0]
        )
        let entries = try book.change([.add(two)], signer)
        admission = entries[0]
        guard let key = book.key else { throw Missing() }
        admissionKey = key
        _ = try book.take(entries[0].bytes, Self.facts(keys[0], sent: entries))
    }

    func signer(_ machine: Int, generation: UInt64 = 1) -> EntrySigner {
        EntrySigner(keys: keys[machine], time: 1, generation: generation, entropy: .system)
    }

    static func facts(_ keys: MachineKeys, sent: [WrittenEntry] = []) -> EntryContext {
        var facts = EntryContext(boxSecrets: [keys.boxSecret], generation: 1)
        facts.sent = Set(sent.map(\.head.hash))
        return facts
    }

    /// The book of the second machine, which joins at the admission.
    func second() throws -> LogBook {
        let reader = LogSegment.Reader.joining(
            keys[1].id,
            log: book.log,
            admitted: admission.head,
            epoch: 1,
            key: admissionKey
        )
        return try LogSegment(
            founding.map(\.bytes) + [admission.bytes],
            for: reader,
            Self.facts(keys[1])
        ).book
    }

    static func object(_ number: UInt8, name: String? = nil, size: Int = 3) throws -> SharedObject {
        try SharedObject(
            kind: 1,
            id: ObjectID(digest: [number] + [UInt8](repeating: 1, count: 15)),
            name: name ?? "secret \(number)",
            content: Secret(copying: [UInt8](repeating: number, count: size))
        )
    }

    private struct Missing: Error {}
}
