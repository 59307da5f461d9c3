internal import Files
package import RecordStore
internal import VaultCrypto

/// A damaged file and its log: copies beside the new vault, or the files themselves if no new vault is written.
///
/// The damaged files are only read.
struct RepairSource {
    /// The largest file that is searched: 64 GiB.
    static let largest = 64 << 30

    /// The page images in the file and the log.
    let images: PageImages
    /// Blocks of 4 KiB that could not be read from the disk when the files were copied.
    let unreadable: Int
    /// Whether the file itself exists.
    let hasFile: Bool
    private let copies: [DamagedCopy]

    /// Opens the files, and copies them if a new vault is to be written.
    ///
    /// - Throws: `notFound` if neither exists; `tooLarge`; `unsafeFile`, `diskFull`, `io`; `cancelled`.
    init(
        _ path: String,
        beside new: String?,
        _ entropy: Entropy,
        isStopped: () -> Bool = { false }
    ) throws {
        let sources = (try BlockSource(path), try BlockSource(path + "-wal"))
        guard sources.0 != nil || sources.1 != nil else { throw StoreError.notFound }
        for source in [sources.0, sources.1] {
            guard source?.size ?? 0 <= Self.largest else { throw RepairRefusal.tooLarge }
        }
        hasFile = sources.0 != nil
        guard let new else {
            images = PageImages(file: sources.0, log: sources.1)
            unreadable = 0
            copies = []
            return
        }
        let file = try sources.0.map { source throws(StoreError) in
            try DamagedCopy(source, beside: new, entropy, isStopped)
        }
        let log = try sources.1.map { source throws(StoreError) in
            try DamagedCopy(source, beside: new, entropy, isStopped)
        }
        images = PageImages(file: file?.source, log: log?.source)
        unreadable = (file?.unreadable ?? 0) + (log?.unreadable ?? 0)
        copies = [file, log].compactMap(\.self)
    }
}

/// A copy of a damaged file, as far as it can be read; removed with this value.
private final class DamagedCopy {
    let source: BlockSource
    let unreadable: Int
    private let copy: CopyFile

    init(
        _ damaged: BlockSource,
        beside new: String,
        _ entropy: Entropy,
        _ isStopped: () -> Bool
    ) throws(StoreError) {
        let copy = try CopyFile.begin(beside: new, entropy)
        unreadable = try copy.take(damaged, isStopped: isStopped)
        guard let source = try BlockSource(copy.draft) else { throw .notFound }
        self.source = source
        self.copy = copy
    }
}

/// The reason why a repair does not begin; nothing was written.
package enum RepairRefusal: Error, Equatable, Sendable {
    /// The file, or its log, is larger than a repair searches.
    case tooLarge
    /// More data has the shape of a row than a repair judges.
    case tooManyRows
    /// The file has no part of a vault, and this many blocks of 4 KiB could not be read.
    case unreadable(blocks: Int)
    /// The backup is of another vault, or from before the vault key changed.
    case otherBackup(path: String)
    /// The named file cannot be opened as a backup.
    case badBackup(path: String, StoreError)
}

/// A vault, and the epoch of its key.
package struct RepairVault: Hashable, Sendable {
    /// 16 bytes, public.
    package let id: [UInt8]
    /// The key epoch.
    package let epoch: UInt32

    /// A vault by its id and key epoch.
    package init(id: [UInt8], epoch: UInt32) {
        self.id = id
        self.epoch = epoch
    }
}
