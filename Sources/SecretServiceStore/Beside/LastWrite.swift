internal import Glibc
internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// The record that was written last on this machine, remembered outside the keyring
/// (Schemas/secret-service.md section 4).
///
/// Header and anchor change once in 1,024 commits. A keyring that is put back in between, and a service that lost what
/// it had answered for, agree with both; but this record then has an older revision than it had.
///
/// `HSIP-LAST-1 <vault id> <uid> <revision> <item>`, blanks, a line feed at byte 191.
struct LastWrite: Sendable {
    /// Bytes of the file.
    private static let size = 192
    private static let magic = "HSIP-LAST-1"
    /// The longest last part of an item's path that is remembered.
    private static let longestItem = 64

    /// What is remembered.
    struct Entry: Equatable, Sendable {
        /// The record's identity, 16 bytes.
        let uid: [UInt8]
        /// The revision that it was written with.
        let revision: Revision
        /// The last part of the path of its item.
        let item: String

        /// An entry; nil for an item whose path is not of letters, digits and `_`, or too long.
        init?(uid: [UInt8], revision: Revision, item path: ItemPath) {
            let item = path.split(separator: "/").last ?? ""
            let isPlain = item.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
            guard uid.count == RecordLimits.uid, (1...longestItem).contains(item.utf8.count), isPlain else {
                return nil
            }
            self.uid = uid
            self.revision = revision
            self.item = String(item)
        }
    }

    private let path: String
    private let vaultID: [UInt8]

    /// The memory of one vault, whether there is one or not.
    init(path: String, vaultID: [UInt8]) {
        self.path = path
        self.vaultID = vaultID
    }

    /// What is remembered; nil when that is nothing, malformed, or of another vault.
    ///
    /// - Throws: `unsafeFile` when somebody else could have written it.
    func read() throws(StoreError) -> Entry? {
        guard try PathChecks.file(path) else { return nil }
        let file = try SystemCall.retry {
            unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.size + 1)
        let count = try SystemCall.retry { unsafe pread(file, &bytes, bytes.count, 0) }
        return entry(Array(bytes.prefix(count)))
    }

    /// Remembers a record, or nothing; only for whoever holds the vault's lock alone.
    func write(_ entry: Entry?) throws(StoreError) {
        guard let entry else {
            if unsafe unlink(path) != 0, errno != ENOENT { throw SystemCall.failure }
            return
        }
        try PathChecks.makeFolder(PathChecks.parent(of: path))
        _ = try PathChecks.file(path)
        let file = try SystemCall.retry {
            unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        }
        defer { close(file) }
        let bytes = encoded(entry)
        let count = try SystemCall.retry { unsafe pwrite(file, bytes, bytes.count, 0) }
        guard count == bytes.count else { throw .diskFull }
        // What stood there may have been longer.
        try SystemCall.retry { ftruncate(file, off_t(bytes.count)) }
    }

    private func entry(_ bytes: [UInt8]) -> Entry? {
        guard bytes.count == Self.size else { return nil }
        let fields = bytes.dropLast().split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 5, Hex.decode(fields[1]) == vaultID, let uid = Hex.decode(fields[2]),
            let revision = UInt64(fields[3]),
            let entry = Entry(uid: uid, revision: revision, item: fields[4])
        else { return nil }
        // Signs, leading zeros, capitals and other words do not come out the same.
        return encoded(entry) == bytes ? entry : nil
    }

    private func encoded(_ entry: Entry) -> [UInt8] {
        let fields = [
            Self.magic, Hex.encode(vaultID), Hex.encode(entry.uid), "\(entry.revision)", entry.item,
        ]
        var bytes = Array(fields.joined(separator: " ").utf8)
        bytes.append(contentsOf: repeatElement(0x20, count: max(0, Self.size - 1 - bytes.count)))
        bytes.append(0x0A)
        return bytes
    }
}

extension SecretServiceStore {
    /// Finds that the record that was written last here is not older than it was.
    ///
    /// One that is gone says nothing: another program may have removed it.
    ///
    /// - Throws: `rollback`.
    func checkLastWrite(_ header: KeyringHeader) throws(StoreError) {
        guard !takesOldCopies, let last = try lastWrite.read() else { return }
        let path = "\(collection.path)/\(last.item)"
        var found: RecordInfo?
        try shelf.eachSecret(of: [path]) { path, secret throws(StoreError) in
            // A damaged item says nothing of its revision; reading it is refused.
            let bounds = KeyringHeader.unbounded(vaultID)
            guard case .record(let item)? = try shelf.readAlone(path, secret, bounds, withBody: false)
            else { return }
            found = item.info
        }
        try Self.compare(found, with: last, header)
    }

    /// The same of records that were read to be changed: for a store that found all well before.
    func checkLastWrite(among holdings: [RecordID: Holding], _ header: KeyringHeader) throws(StoreError) {
        guard !takesOldCopies, let last = try lastWrite.read() else { return }
        for holding in holdings.values { try Self.compare(holding.current.info, with: last, header) }
    }

    private static func compare(
        _ found: RecordInfo?,
        with last: LastWrite.Entry,
        _ header: KeyringHeader
    ) throws(StoreError) {
        guard let found, found.uid == last.uid, found.revision < last.revision else { return }
        throw .rollback(
            found: Position(epoch: header.epoch, generation: found.revision),
            expected: Position(epoch: header.epoch, generation: last.revision)
        )
    }

    /// Remembers one record of a change set that has happened, before anybody hears of it.
    func rememberLastWrite(_ redo: Redo, over holdings: [RecordID: Holding]) {
        noting { () throws(StoreError) in
            for case .put(let info, let body) in redo.steps.reversed()
            where shelf.codec.form(of: info, body) == .record {
                guard let path = path(of: info.id, over: holdings[info.id]?.current) else { continue }
                return try lastWrite.write(
                    LastWrite.Entry(uid: info.uid, revision: info.revision, item: path)
                )
            }
            // Nothing of that form was written; what is remembered may have gone, or have another form now.
            guard let last = try lastWrite.read() else { return }
            if holdings.values.contains(where: { $0.current.info.uid == last.uid }) {
                try lastWrite.write(nil)
            }
        }
    }

    /// Where a record was written: over its item, or into a new one.
    private func path(of id: RecordID, over old: RecordItem?) -> ItemPath? {
        if let old, old.form == .record { return old.path }
        let bounds = KeyringHeader.unbounded(vaultID)
        return (try? shelf.records(id, bounds, withBody: false))??.current.path
    }
}
