import FileStore
import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto

/// A vault as bytes, with everything that was ever written into it, and the hands of an accident.
struct RepairBench {
    /// What one record is or was.
    struct Version: Hashable {
        let id: RecordID
        let revision: Revision
    }

    /// The file, and its log where it has one.
    var file: [UInt8]?
    var log: [UInt8]?
    /// Every version that was ever committed, with its body.
    private(set) var history: [Version: [UInt8]] = [:]
    /// The versions that count.
    private(set) var present: Set<Version> = []
    /// The newest commit.
    private(set) var generation: UInt64 = 0
    /// The versions that counted before it.
    private var former: Set<Version> = []
    private let vault: ScratchVault
    private let keys: VaultKeys

    /// Writes a vault commit by commit; what of it is in the log is up to SQLite.
    init(_ commits: [[Change]], checkpoints: Bool, isOther: Bool = false) throws {
        vault = try ScratchVault()
        keys = try VaultKeys(vaultKey: SecretBytes(copying: ScratchVault.vaultKey))
        let store = try isOther ? vault.createOther() : vault.create()
        var now: [RecordID: Revision] = [:]
        for changes in commits {
            let expected = changes.map { change in
                switch change {
                case .put(let draft, _): Change.put(draft, expecting: now[draft.id] ?? 0)
                case .delete: change
                }
            }
            former = Set(now.map { Version(id: $0, revision: $1) })
            let revision = try store.commit(ChangeSet(floor: 0, changes: expected))
            for change in changes {
                switch change {
                case .put(let draft, _):
                    now[draft.id] = revision
                    history[Version(id: draft.id, revision: revision)] = draft.body.withBytes { $0.copied() }
                case .delete(let id, _): now[id] = nil
                }
            }
            generation = revision
        }
        present = Set(now.map { Version(id: $0, revision: $1) })
        if checkpoints { _ = try vault.snapshot() }
        _ = try store.backUp(to: backup)
        // The last one who closes the file moves the log into it.
        (file, log) = try withExtendedLifetime(store) {
            (try Self.read(vault.paths.vault), try Self.read(vault.paths.vault + "-wal"))
        }
        if log?.isEmpty == true { log = nil }
    }

    /// Takes the mark of its end away from the last commit, as if the program had been stopped in the middle of it.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the anchor knows of that commit, so that it was the disk that lost the mark.
    ///   - keepsHead: Whether its head was written already.
    /// - Throws: what reading the log and removing the anchor throw.
    mutating func openLastCommit(isKnown: Bool, keepsHead: Bool) throws {
        var bytes = try #require(log)
        let frames = stride(from: 32, to: bytes.count - 4_119, by: 4_120).map { $0 }
        let ends = frames.filter { bytes[$0 + 4..<$0 + 8] != [0, 0, 0, 0] }
        let last = try #require(ends.last)
        bytes.replaceSubrange(last + 4..<last + 8, with: [0, 0, 0, 0])
        for frame in frames where !keepsHead && frame > ends.dropLast().last ?? 0 {
            let head: [UInt8] = [6, 0, 0x2C]
            for index in frame + 24..<frame + 2_100 where bytes[index..<index + 3].elementsEqual(head) {
                bytes[index + 2_000] ^= 1
            }
        }
        log = bytes
        guard !isKnown else { return }
        try vault.removeAnchor()
        (present, generation) = (former, generation - 1)
    }

    /// A backup of the vault as it is.
    var backup: String { vault.scratch.path + "/backup" }

    /// What a repair makes of the bytes as they are now, without writing: its report, and the versions that it keeps.
    func look(
        with backups: [String] = [],
        takesMissing: Bool = false,
        unlock: Unlock? = nil
    ) throws -> (report: SalvageReport, kept: Set<Version>) {
        try prepared(with: backups, into: nil, unlock) { repairing, opened in
            var codec = try RecordCodec(keys: keys)
            var kept: Set<Version> = []
            let head = try #require(Self.headOfAnyTime)
            let report = try repairing.look(opened, takesMissing: takesMissing, isCompared: { _ in true }) {
                row throws(StoreError) in
                let info = try codec.openMeta(row, head: head)
                let body = try codec.openBody(row, revision: info.revision).withBytes { $0.copied() }
                let version = Version(id: info.id, revision: info.revision)
                // A row that was never written, or not with this body, or comes twice.
                guard history[version] == body, kept.insert(version).inserted else {
                    throw .tampered(.meta(row: row.id.bytes))
                }
            }
            return (report, kept)
        }
    }

    /// Repairs into a new vault, and reads that.
    func repair(
        with backups: [String] = [],
        takesMissing: Bool = false
    ) throws -> (report: SalvageReport, found: VerifyReport, kept: Set<Version>) {
        let new = vault.scratch.path + "/new-\(UInt64.random(in: .min ... .max))"
        return try prepared(with: backups, into: new) { repairing, opened in
            let (report, found) = try repairing.write(opened, takesMissing: takesMissing) { _ in true }
            let paths = VaultPaths(vault: new, anchorFolder: vault.scratch.path + "/no-anchor")
            let store = try FileStore.open(
                at: paths,
                unlock: .recovery(ScratchVault.code()),
                options: OpenOptions(readOnly: true),
                entropy: .system,
                now: { 0 }
            )
            let kept = try store.read { reader throws(StoreError) in
                var kept: Set<Version> = []
                for info in try reader.list(nil) {
                    let version = Version(id: info.id, revision: info.revision)
                    let body = try reader.find(info.id)?.body.withBytes { $0.copied() }
                    guard history[version] == body, info.predatesRestore else { throw .corrupt }
                    kept.insert(version)
                }
                return kept
            }
            return (report, found, kept)
        }
    }

    /// Writes the bytes as they are now beside a sound vault, and hands them to a repair.
    private func prepared<R>(
        with backups: [String],
        into new: String?,
        _ unlock: Unlock? = nil,
        _ body: (Repairing, Repairing.Opened) throws -> R
    ) throws -> R {
        let damaged = vault.scratch.path + "/damaged-\(UInt64.random(in: .min ... .max))"
        defer {
            for path in [damaged, damaged + "-wal"] { try? FileManager.default.removeItem(atPath: path) }
        }
        for (bytes, path) in [(file, damaged), (log, damaged + "-wal")] {
            if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
        }
        let repairing = try Repairing.begin(
            damaged,
            into: new,
            with: backups,
            anchorFolder: vault.paths.anchorFolder,
            known: [RepairVault(id: ScratchVault.vaultID, epoch: 1)],
            entropy: .system,
            now: { ScratchVault.now }
        )
        let opened = try repairing.open(unlock ?? .recovery(ScratchVault.code()))
        if let other = opened.otherBackups.first { throw RepairRefusal.otherBackup(path: other) }
        let result = try body(repairing, opened)
        // The damaged files are as they were.
        #expect(try Self.read(damaged) == file)
        #expect(try Self.read(damaged + "-wal") == log)
        return result
    }

    /// A head that no record is newer than.
    private static var headOfAnyTime: HeadContent? {
        var bytes = HeadContent(slotDigest: [UInt8](repeating: 0, count: 32)).encoded
        bytes.replaceSubrange(1..<9, with: [UInt8](repeating: 0xFF, count: 8))
        return bytes.withBytes { HeadContent($0) }
    }

    private static func read(_ path: String) throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

extension ScratchVault {
    /// A vault with another id and another key, by the same code.
    fileprivate func createOther() throws -> FileStore {
        try FileStore.create(at: paths, slots: [Self.slot()], entropy: entropy, now: { Self.now })
    }
}

extension RepairBench {
    /// A record as most are: five attributes and a secret of 32 bytes.
    static func login(_ number: Int, _ version: Int = 0) throws -> Change {
        let names = ["user", "host", "url", "tag", "type"]
        let attributes = Dictionary(uniqueKeysWithValues: names.map { ($0, "\($0) of \(number)") })
        let body = "secret \(number), version \(version)".utf8
        return .put(
            RecordDraft(
                id: try RecordID("login", "site-\(number)"),
                attributes: try Attributes(attributes),
                body: try Secret(
                    copying: Array(body) + Array(repeating: 0x2E, count: max(0, 32 - body.count))
                )
            ),
            expecting: 0
        )
    }

    /// A record with a secret of so many bytes.
    static func note(_ number: Int, bytes: Int, _ version: Int = 0) throws -> Change {
        var generator = SeededGenerator(seed: UInt64(number * 31 + version))
        return .put(
            RecordDraft(
                id: try RecordID("note", "note-\(number)"),
                body: try Secret(copying: generator.bytes(bytes))
            ),
            expecting: 0
        )
    }
}
