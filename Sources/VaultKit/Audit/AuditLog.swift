internal import Files
internal import Glibc
internal import Synchronization
package import VaultCrypto

/// The log of the events in a vault: sealed entries, each bound to all earlier ones (Schemas/audit.md).
///
/// A person who cannot read the vault cannot read an entry, or change, reorder, remove or add an entry unnoticed.
/// A person who has the vault open can write a new log, so the log is no evidence against this person. Several
/// programs write to one log; each locks the folder for one entry.
public final class AuditLog: Sendable {
    /// The state of the present file.
    private struct State {
        var folder: AuditFile?
        var file: AuditFile?
        var segment: UInt32 = 1
        /// The size of the file in bytes when `mark` was true.
        var size = 0
        /// The newest position that this program or the vault has seen.
        var mark: AuditMark
    }

    private let place: AuditPlace
    private let seal: AuditSeal
    private let entropy: Entropy
    private let clock: @Sendable () -> UInt64
    private let state: Mutex<State>

    /// The log of a vault; no file is opened before the first entry.
    ///
    /// - Parameters:
    ///   - folder: the folder of the files; made if it is missing.
    ///   - vaultID: the id of the vault, 16 bytes.
    ///   - key: the key that seals the entries.
    ///   - mark: the newest position known to the vault; nil for a new log.
    ///   - entropy: the source of nonces.
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

    /// The position after the last entry that this program knows.
    public var mark: AuditMark { state.withLock { $0.mark } }

    /// Writes an entry; afterwards every program can read it.
    ///
    /// With `isDurable` it also waits until the entry survives a power cut, as long as the disk needs. If the
    /// write fails, it throws and the log has no entry. If only that wait fails, it throws although the log
    /// has the entry.
    ///
    /// - Returns: the number of the entry.
    @discardableResult
    public func append(_ entry: AuditEntry, isDurable: Bool = false) throws(AuditError) -> UInt64 {
        try state.withLock { state throws(AuditError) in
            let folder = try openFolder(&state)
            try folder.lock(.alone)
            defer { folder.unlock() }
            let file = try openFile(in: folder, &state)
            try write(entry, to: file, &state)
            if isDurable { try file.syncData() }
            return state.mark.sequence
        }
    }

    /// The folder; opened again if its path names another folder by now.
    private func openFolder(_ state: inout State) throws(AuditError) -> AuditFile {
        if let folder = state.folder, folder.isInPlace(place.folder) { return folder }
        state.file = nil
        let folder = try place.openFolder()
        state.folder = folder
        return folder
    }

    /// The present file, ready for the next entry; call it only under the lock.
    private func openFile(in folder: AuditFile, _ state: inout State) throws(AuditError) -> AuditFile {
        // The file was not replaced, extended or cut.
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

    /// Whether a file's end can follow a position that was seen before.
    private func isAhead(_ mark: AuditMark, of known: AuditMark) -> Bool {
        mark.sequence > known.sequence || mark == known
    }

    /// Closes a file whose end is cut, damaged or older than expected, and notes that in the next file.
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

    /// Begins a file; `reason` tells why the log is incomplete before it.
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
            // A file without its header would look damaged.
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
