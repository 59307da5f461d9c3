internal import Files
internal import Glibc
internal import Synchronization
package import VaultCrypto

/// What happened with a vault: sealed entries, each bound to all before it (Schemas/audit.md).
///
/// Anyone who may not read the vault cannot read an entry, nor change, reorder, remove or add one unnoticed.
/// Anyone who has the vault open can write a new log; against them it is no evidence. Several programs write to one
/// log: each takes the lock of its folder for the time of one entry.
public final class AuditLog: Sendable {
    /// What is known of the present file.
    private struct State {
        var folder: AuditFile?
        var file: AuditFile?
        var segment: UInt32 = 1
        /// Bytes of the file when `mark` was true.
        var size = 0
        /// The newest place that this program, or the vault, has seen.
        var mark: AuditMark
    }

    private let place: AuditPlace
    private let seal: AuditSeal
    private let entropy: Entropy
    private let clock: @Sendable () -> UInt64
    private let state: Mutex<State>

    /// The log of a vault; nothing is opened before the first entry.
    ///
    /// - Parameters:
    ///   - folder: where the files are; it is made where it is missing.
    ///   - vaultID: the vault whose log it is, 16 bytes.
    ///   - key: what seals the entries.
    ///   - mark: the newest place that the vault knows of; nil for a new log.
    ///   - entropy: where nonces come from.
    ///   - clock: the wall clock in Unix seconds.
    package init(
        folder: String,
        vaultID: [UInt8],
        key: Secret,
        mark: AuditMark?,
        entropy: Entropy,
        clock: @escaping @Sendable () -> UInt64
    ) {
        place = AuditPlace(folder: folder, vaultID: vaultID)
        seal = AuditSeal(key: key, vaultID: vaultID)
        self.entropy = entropy
        self.clock = clock
        state = Mutex(State(mark: mark ?? .beginning))
    }

    /// The place after the last entry that this program knows of.
    public var mark: AuditMark { state.withLock { $0.mark } }

    /// Writes an entry: when it returns, every program reads it.
    ///
    /// With `isDurable` it also waits until the entry survives a power cut, as long as the disk takes. Throws
    /// what kept the entry from being written; the log has nothing of it then. When only that wait fails, it
    /// throws, too, and the entry is there.
    public func append(_ entry: AuditEntry, isDurable: Bool = false) throws(AuditError) {
        try state.withLock { state throws(AuditError) in
            let folder = try openFolder(&state)
            try folder.lock(.alone)
            defer { folder.unlock() }
            let file = try openFile(in: folder, &state)
            try write(entry, to: file, &state)
            if isDurable { try file.syncData() }
        }
    }

    /// The folder; opened again when its name leads elsewhere by now.
    private func openFolder(_ state: inout State) throws(AuditError) -> AuditFile {
        if let folder = state.folder, folder.isInPlace(place.folder) { return folder }
        state.file = nil
        let folder = try place.openFolder()
        state.folder = folder
        return folder
    }

    /// The present file, ready for the next entry; only under the lock.
    private func openFile(in folder: AuditFile, _ state: inout State) throws(AuditError) -> AuditFile {
        // Nothing was added, cut or put in its place.
        if let file = state.file, let size = file.size(at: place.currentName, in: folder),
            size == state.size, size < AuditPlace.fullSize
        {
            return file
        }
        state.file = nil
        try place.check(place.current)
        guard let file = try AuditFile.open(place.current, O_RDWR) else {
            let isNew = state.mark.sequence == 0 && place.closedSegments().isEmpty
            return try begin(after: place.closedSegments().last ?? 0, isNew ? nil : "missing", &state)
        }
        let size = try file.size()
        let segment = AuditHeader(try file.read(upTo: AuditHeader.size))?.segment
        guard let segment, let mark = try AuditWalk.tail(file, size, seal), isAhead(mark, of: state.mark)
        else {
            return try leave(file, segment, &state)
        }
        (state.mark, state.segment, state.size) = (mark, segment, size)
        guard size < AuditPlace.fullSize else {
            try place.close(segment)
            return try begin(after: segment, nil, &state)
        }
        state.file = file
        return file
    }

    /// Whether a file's end can follow from a place that was seen before.
    private func isAhead(_ mark: AuditMark, of known: AuditMark) -> Bool {
        mark.sequence > known.sequence || mark == known
    }

    /// Puts a file away whose end is cut, damaged or older than what was seen, and says so in the next one.
    private func leave(
        _ file: AuditFile,
        _ segment: UInt32?,
        _ state: inout State
    ) throws(AuditError) -> AuditFile {
        let walk = try AuditWalk(file, seal) { _, _ in }
        if walk.last.sequence > state.mark.sequence { state.mark = walk.last }
        let number = segment ?? (place.closedSegments().last ?? 0) + 1
        try place.close(number)
        return try begin(after: number, "damaged", &state)
    }

    /// Begins a file; `reason` tells why the log is not whole up to here.
    private func begin(
        after segment: UInt32,
        _ reason: String?,
        _ state: inout State
    ) throws(AuditError) -> AuditFile {
        guard let file = try AuditFile.open(place.current, O_RDWR | O_CREAT | O_EXCL) else { throw .noPlace }
        let header = AuditHeader(vaultID: seal.vaultID, segment: segment &+ 1, start: state.mark)
        do throws(AuditError) {
            try file.add(header.encoded, at: 0)
        } catch {
            // Without its header it would be taken for a damaged file.
            unsafe unlink(place.current)
            throw error
        }
        (state.file, state.segment, state.size) = (file, header.segment, AuditHeader.size)
        if let reason {
            let time = clock() * 1_000
            try write(AuditEntry(.log, .failed, time: time, reason: reason), to: file, &state)
        }
        return file
    }

    private func write(
        _ entry: AuditEntry,
        to file: AuditFile,
        _ state: inout State
    ) throws(AuditError) {
        let (bytes, mark) = try seal.frame(entry, after: state.mark, entropy)
        try file.add(bytes, at: state.size)
        state.size += bytes.count
        state.mark = mark
    }
}
