internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The known hosts as they were in one snapshot, and what an act does to them.
struct HostKeyTurn: RecordTurn {
    /// Unix seconds.
    let now: UInt64
    /// All lines; acts change it.
    var book: HostKeyBook
    private let floor: UInt64
    private let old: HostKeyBook
    private var revisions: [HostKeyPlace: Revision] = [:]
    private var contents: [HostKeyPlace: [UInt8]] = [:]

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.now = now
        floor = reader.floor
        do {
            for info in try reader.list(try RecordKind(SSHRecords.hostKey)) {
                guard let place = HostKeyPlace(name: info.id.name), let record = try reader.find(info.id)
                else { throw SSHFormatError.malformed }
                revisions[place] = info.revision
                contents[place] = record.body.withBytes { $0.copied() }
            }
            old = try HostKeyBook(contents: contents)
        } catch {
            throw VaultError(error)
        }
        book = old
    }

    /// An act on the book, its refusals in the words of the vault.
    mutating func act<R>(_ act: (inout HostKeyBook) throws(SSHFormatError) -> R) throws(VaultError) -> R {
        do throws(SSHFormatError) {
            return try act(&book)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Only records that differ are written, and the head with every one of them.
    ///
    /// Lines that were taken out long enough ago go along.
    func changes() throws(VaultError) -> ChangeSet? {
        guard book != old else { return nil }
        var book = book
        book.purge(at: now)
        let wanted: [HostKeyPlace: [UInt8]]
        do throws(SSHFormatError) {
            wanted = try book.contents()
        } catch {
            throw Self.refusal(error)
        }
        var changes = ChangeSet(floor: floor)
        for (place, content) in wanted.sorted(by: { $0.key.name < $1.key.name })
        where place == .head || contents[place] != content {
            let draft = try SSHRecords.draft(of: content, at: place)
            changes.put(draft, expecting: revisions[place] ?? 0)
        }
        for (place, revision) in revisions.sorted(by: { $0.key.name < $1.key.name })
        where wanted[place] == nil {
            changes.delete(try Self.id(of: place), expecting: revision)
        }
        return changes
    }

    static func id(of place: HostKeyPlace) throws(VaultError) -> RecordID {
        do throws(StoreError) {
            return try RecordID(SSHRecords.hostKey, place.name)
        } catch {
            throw .store(error)
        }
    }

    private static func refusal(_ error: SSHFormatError) -> VaultError {
        switch error {
        case .unknownHostKey: .ssh(.unknownHostKey)
        case .revokedHostKey: .ssh(.hostKeyRevoked)
        case .changedHostKey: .ssh(.hostKeyChanged)
        default: .ssh(.format(error))
        }
    }
}
