internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The known hosts in one snapshot, with the changes of an operation.
struct HostKeyTransaction: RecordTransaction {
    static let kind = "ssh.hostkey"

    /// Unix seconds.
    let now: UInt64
    /// All lines; operations change them.
    var book: HostKeyBook
    private let reader: any RecordReader
    private let old: HostKeyBook
    private var revisions: [HostKeyPlace: Revision] = [:]
    private var contents: [HostKeyPlace: [UInt8]] = [:]
    /// Records that predate a restore; the next change writes that into them.
    private var restored: Set<HostKeyPlace> = []

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        self.now = now
        self.reader = reader
        for info in try reader.list(try RecordKind(Self.kind)) {
            guard let place = HostKeyPlace(name: info.id.name), let record = try reader.find(info.id)
            else { throw SSHFormatError.malformed }
            revisions[place] = info.revision
            let content = record.body.withBytes { $0.copied() }
            let isRestored = record.info.predatesRestore && place != .head
            contents[place] = isRestored ? try HostKeyEntry.restored(content) : content
            if isRestored { restored.insert(place) }
        }
        old = try HostKeyBook(contents: contents)
        book = old
    }

    var trash: TrashPolicy { TrashPolicy(reader, now: now) }

    /// Changes the book; its errors become errors of the vault.
    mutating func act<R>(_ act: (inout HostKeyBook) throws(SSHFormatError) -> R) throws -> R {
        do throws(SSHFormatError) {
            return try act(&book)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// The changes to write: only changed records, and with them always the head.
    ///
    /// Lines that were removed long enough ago are dropped.
    func changes() throws -> ChangeSet? {
        book == old ? nil : try allChanges()
    }

    /// The changes of `changes`, even if the operation changed nothing.
    ///
    /// If `all` is true, unchanged records are written, too.
    func allChanges(writing all: Bool = false) throws -> ChangeSet {
        var book = book
        book.purge(removedBefore: trash.limit)
        let wanted: [HostKeyPlace: [UInt8]]
        do throws(SSHFormatError) {
            wanted = try book.contents()
        } catch {
            throw Self.refusal(error)
        }
        var changes = ChangeSet(floor: reader.floor)
        for (place, content) in wanted.sorted(by: { $0.key.name < $1.key.name })
        where all || place == .head || contents[place] != content || restored.contains(place) {
            let draft = try Self.draft(of: content, at: place)
            changes.put(draft, expecting: revisions[place] ?? 0)
        }
        for (place, revision) in revisions.sorted(by: { $0.key.name < $1.key.name })
        where wanted[place] == nil {
            changes.delete(try Self.id(of: place), expecting: revision)
        }
        return changes
    }

    /// Makes a record of known hosts.
    static func draft(of content: [UInt8], at place: HostKeyPlace) throws -> RecordDraft {
        RecordDraft(id: try RecordID(kind, place.name), body: try Secret(copying: content))
    }

    static func id(of place: HostKeyPlace) throws -> RecordID {
        try RecordID(Self.kind, place.name)
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
