internal import RecordStore
internal import SSHFormats
internal import VaultCrypto

/// The known hosts as they were in one snapshot, and what an act does to them.
struct HostKeyTransaction: RecordTransaction {
    static let kind = "ssh.hostkey"

    /// Unix seconds.
    let now: UInt64
    /// All lines; acts change it.
    var book: HostKeyBook
    private let reader: any RecordReader
    private let old: HostKeyBook
    private var revisions: [HostKeyPlace: Revision] = [:]
    private var contents: [HostKeyPlace: [UInt8]] = [:]
    /// Records that predate a restore, which is written into them with the next change.
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

    /// An act on the book, its refusals in the words of the vault.
    mutating func act<R>(_ act: (inout HostKeyBook) throws(SSHFormatError) -> R) throws -> R {
        do throws(SSHFormatError) {
            return try act(&book)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Only records that differ are written, and the head with every one of them.
    ///
    /// Lines that were removed long enough ago are dropped, too.
    func changes() throws -> ChangeSet? {
        book == old ? nil : try allChanges()
    }

    /// What has to be written, as `changes` says, also for an act that did nothing.
    ///
    /// If `all` is true, every record is written, even an unchanged one.
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
