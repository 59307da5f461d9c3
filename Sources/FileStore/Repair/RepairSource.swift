internal import Files
package import RecordStore
internal import VaultCrypto

/// A damaged file and its log as a repair reads them: copies beside the new vault, or without one the files themselves.
///
/// The damaged files are only read.
struct RepairSource {
    /// The largest file that is searched: 64 GiB.
    static let largest = 64 << 30

    /// What both have the images of.
    let images: PageImages
    /// Blocks of 4 KiB that the disk did not give back when they were copied.
    let unreadable: Int
    /// Whether the file itself is there.
    let hasFile: Bool
    private let copies: [TakenCopy]

    /// Opens the files, and copies them where there is a new vault to be.
    ///
    /// - Throws: `notFound` where neither is there; `tooLarge`; `unsafeFile`, `diskFull`, `io`; `cancelled`.
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
            try TakenCopy(source, beside: new, entropy, isStopped)
        }
        let log = try sources.1.map { source throws(StoreError) in
            try TakenCopy(source, beside: new, entropy, isStopped)
        }
        images = PageImages(file: file?.source, log: log?.source)
        unreadable = (file?.unreadable ?? 0) + (log?.unreadable ?? 0)
        copies = [file, log].compactMap(\.self)
    }
}

/// A copy of a damaged file, as far as it can be read; removed with this value.
private final class TakenCopy {
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

/// Why a repair does not begin; nothing was written.
package enum RepairRefusal: Error, Equatable, Sendable {
    /// The file, or its log, has more bytes than are searched.
    case tooLarge
    /// More has the shape of a row than is judged.
    case tooManyRows
    /// Nothing of a vault was found, and so many blocks of 4 KiB could not be read.
    case unreadable(blocks: Int)
    /// The file that was named as a backup is one of another vault, or from before the vault key changed.
    case otherBackup(path: String)
    /// The file that was named as a backup cannot be opened as one.
    case badBackup(path: String, StoreError)
}

/// Which vault, and which of its keys.
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
