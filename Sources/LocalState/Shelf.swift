internal import Glibc
package import RecordStore
internal import VaultCrypto

/// Where the vault and the network meet: files of sealed entries in a folder of the user's, `hsip/log/<log id>/` in the
/// folder for state (Schemas/carriers.md section 3).
///
/// A program that holds the vault writes what is to be sent and reads what came; another, which holds no key, carries.
/// Each side checks what the other left: what is not a file of the user's own, with one name and in bounds, is refused.
package struct Shelf: Sendable {
    /// Which way entries go.
    package enum Side: String, CaseIterable, Sendable {
        /// What the remote has, from the newest compaction on; it stays, so that a remote that lost all can be filled.
        case incoming = "in"
        /// What this machine made and has not read back.
        case outgoing = "out"
    }

    /// Bytes of an entry.
    package static let entryLimit = 1 << 20
    /// Entries of a side.
    package static let maximumEntries = 1 << 18

    package let folder: String

    /// The shelf of a log below the user's folder for state, whether it exists or not; `logID` has 16 bytes.
    package init(stateFolder: String, logID: [UInt8]) {
        folder = "\(stateFolder)/hsip/log/\(Hex.encode(logID))"
    }

    /// Where git keeps its copy of the remote; git makes it.
    package var gitFolder: String { "\(folder)/git" }

    /// Makes what is missing of it, for the user alone.
    ///
    /// - Throws: `unsafeFile` where another user could change something.
    package func make() throws(StoreError) {
        for path in [folder] + Side.allCases.map(path) {
            try PathChecks.makeFolder(path)
            guard let facts = try FileFacts(path) else { throw .notFound }
            guard facts.isFolder else { throw .unsafeFile(path: path, .wrongType) }
            guard facts.isOwn else { throw .unsafeFile(path: path, .owner(uid: facts.owner)) }
            guard !facts.isShared else { throw .unsafeFile(path: path, .mode(facts.mode)) }
        }
    }

    /// Takes the shelf for one sync; it is given back with the value.
    ///
    /// - Throws: `busy` when another sync has it for ten seconds.
    package func hold() throws(StoreError) -> HeldShelf {
        let path = "\(folder)/lock"
        _ = try PathChecks.file(path)
        let file = try SystemCall.retry {
            unsafe open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        do throws(StoreError) {
            try SystemCall.lock(file, LOCK_EX)
        } catch {
            close(file)
            throw error
        }
        return HeldShelf(file)
    }

    /// The places of a side, ascending; files that are being written do not count.
    ///
    /// - Throws: `unsafeFile` for a name that is no place; `diskFull` for more names than a log has.
    package func places(_ side: Side) throws(StoreError) -> [UInt64] {
        guard let stream = unsafe opendir(path(side)) else {
            if errno == ENOENT { return [] }
            throw SystemCall.failure
        }
        defer { unsafe closedir(stream) }
        var places: [UInt64] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(".") { continue }
            guard let place = Self.place(name) else {
                throw .unsafeFile(path: "\(path(side))/\(name)", .wrongType)
            }
            places.append(place)
            guard places.count <= Self.maximumEntries else { throw .diskFull }
        }
        return places.sorted()
    }

    /// An entry; nil where there is none.
    ///
    /// - Throws: `unsafeFile` for a link, for what another user could have written, and for a file out of bounds.
    package func read(_ place: UInt64, _ side: Side) throws(StoreError) -> [UInt8]? {
        let path = path(place, side)
        guard try PathChecks.file(path) else { return nil }
        let file = try SystemCall.retry { unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) }
        defer { close(file) }
        let size = try FileFacts(of: file).size
        guard size > 0, size <= Self.entryLimit else { throw .unsafeFile(path: path, .wrongType) }
        // One byte more than it has, so a file that grows is seen to.
        var bytes = [UInt8](repeating: 0, count: Int(size) + 1)
        let count = try SystemCall.retry { unsafe pread(file, &bytes, bytes.count, 0) }
        guard count == Int(size) else { throw .io(code: EIO) }
        bytes.removeLast()
        return bytes
    }

    /// Puts an entry there, in the place of one that is there; a stop leaves the former or this one.
    ///
    /// It is not synced: what is on the shelf can be had again, from the vault or from the remote.
    ///
    /// - Throws: `diskFull`, also for an entry out of bounds.
    package func write(_ bytes: [UInt8], _ place: UInt64, _ side: Side) throws(StoreError) {
        guard place > 0, place < UInt64(Int64.max), !bytes.isEmpty, bytes.count <= Self.entryLimit else {
            throw .diskFull
        }
        let draft = "\(path(side))/.new-\(Hex.encode(Entropy.system.bytes(8)))"
        let file = try SystemCall.retry {
            unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        defer { close(file) }
        do throws(StoreError) {
            let count = try SystemCall.retry { unsafe Glibc.write(file, bytes, bytes.count) }
            guard count == bytes.count else { throw .diskFull }
            try SystemCall.retry { unsafe rename(draft, path(place, side)) }
        } catch {
            unsafe unlink(draft)
            throw error
        }
    }

    /// Removes entries of a side, and what a write that was stopped left; the caller holds the shelf.
    package func remove(_ side: Side, where isRemoved: (UInt64) -> Bool) throws(StoreError) {
        for place in try places(side) where isRemoved(place) {
            try SystemCall.retry { unsafe unlink(path(place, side)) }
        }
        guard let stream = unsafe opendir(path(side)) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasPrefix(".new-") { unsafe unlink("\(path(side))/\(name)") }
        }
    }

    private func path(_ side: Side) -> String { "\(folder)/\(side.rawValue)" }

    private func path(_ place: UInt64, _ side: Side) -> String { "\(path(side))/\(Self.name(place))" }

    private static func name(_ place: UInt64) -> String {
        let digits = String(place, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func place(_ name: String) -> UInt64? {
        // The bound of carriers: a place can be counted on from.
        guard name.utf8.count == 16, let place = UInt64(name, radix: 16), place > 0,
            place < UInt64(Int64.max), Self.name(place) == name
        else { return nil }
        return place
    }
}

/// The shelf while one sync has it.
package final class HeldShelf {
    private let file: Int32

    fileprivate init(_ file: Int32) { self.file = file }

    deinit { close(file) }
}
