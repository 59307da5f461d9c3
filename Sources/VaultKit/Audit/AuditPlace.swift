internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// The files of a vault's audit log: one folder with the current file and the closed files.
struct AuditPlace: Sendable {
    /// The size in bytes at which a file is closed and another is begun.
    static let fullSize = 4 << 20
    /// The most files that are kept; the oldest is deleted.
    static let maximumSegments = 8

    let folder: String
    let vaultID: [UInt8]
    /// The current file: its path, and its name in the folder.
    let (current, currentName): (String, String)

    init(folder: String, vaultID: [UInt8]) {
        self.folder = folder
        self.vaultID = vaultID
        currentName = "\(Hex.encode(vaultID)).log"
        current = "\(folder)/\(currentName)"
    }

    /// The path of a closed file.
    func closed(_ segment: UInt32) -> String { "\(folder)/\(Hex.encode(vaultID)).\(segment).log" }

    /// Opens the folder, and makes it if it is missing.
    func openFolder() throws(AuditError) -> AuditFile {
        do throws(StoreError) {
            try PathChecks.makeFolder(folder)
            try PathChecks.folder(folder)
        } catch {
            throw AuditError(error)
        }
        guard let file = try AuditFile.open(folder, O_RDONLY | O_DIRECTORY) else { throw .noPlace }
        return file
    }

    /// Refuses a file that others could change; a missing file is not refused.
    func check(_ path: String) throws(AuditError) {
        do throws(StoreError) {
            _ = try PathChecks.file(path)
        } catch {
            throw AuditError(error)
        }
    }

    /// The numbers of the closed files, ascending.
    func closedSegments() -> [UInt32] {
        let prefix = "\(Hex.encode(vaultID))."
        var numbers: [UInt32] = []
        for name in Folder.names(in: folder) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(".log") else { continue }
            let middle = name.dropFirst(prefix.count).dropLast(4)
            // As in a header, a number so high that no other can follow it is not accepted.
            guard let number = UInt32(middle), String(number) == middle, number > 0, number < 1 << 31 else {
                continue
            }
            numbers.append(number)
        }
        return numbers.sorted()
    }

    /// Closes the current file by renaming it, and deletes the oldest closed files above the limit.
    func close(_ segment: UInt32) throws(AuditError) {
        var number = segment
        // If another file has the name, a higher number is free.
        while try isThere(closed(number)) { number += 1 }
        guard unsafe rename(current, closed(number)) == 0 else { throw AuditError(errno: errno) }
        for old in closedSegments().dropLast(Self.maximumSegments - 1) { unsafe unlink(closed(old)) }
    }

    private func isThere(_ path: String) throws(AuditError) -> Bool {
        do throws(StoreError) {
            return try FileFacts(path) != nil
        } catch {
            throw AuditError(error)
        }
    }
}

extension AuditError {
    /// Converts an error of a path check.
    init(_ error: StoreError) {
        switch error {
        case .unsafeFile(let path, _): self = .unsafePlace(path: path)
        case .busy: self = .busy
        case .diskFull: self = .diskFull
        case .io(let code): self = .failed(code: code)
        default: self = .noPlace
        }
    }
}

/// An open file, or folder, of the audit log.
typealias AuditFile = SecureFile<AuditError>

extension SecureFile where Failure == AuditError {
    /// Opens a file or a folder; nil if it does not exist.
    static func open(_ path: String, _ flags: Int32) throws(AuditError) -> AuditFile? {
        do throws(AuditError) {
            return try AuditFile(path, flags)
        } catch .failed(code: ENOENT) {
            return nil
        }
    }

    /// The size of the file in bytes.
    func size() throws(AuditError) -> Int { Int(try facts().size) }

    /// The size in bytes, if a name in a folder still means this file; nil if it means another file or none.
    func size(at name: String, in folder: AuditFile) -> Int? {
        guard let named = folder.facts(ofName: name), named.identity == (try? facts().identity) else {
            return nil
        }
        return Int(named.size)
    }

    /// Writes all bytes; after an error it removes the bytes that it wrote.
    func add(_ bytes: [UInt8], at offset: Int) throws(AuditError) {
        do throws(AuditError) {
            try write(bytes, at: offset)
        } catch {
            // If the file cannot be truncated either, the next writer finds the torn end.
            try? cut(to: offset)
            throw error
        }
    }
}

extension AuditError: FileFailure {
    /// Converts an error number of the system.
    package init(errno code: Int32) {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS: self = .noPlace
        case EWOULDBLOCK: self = .busy
        default: self = .failed(code: code)
        }
    }

    package static func wrongKind(_ path: String) -> AuditError { .unsafePlace(path: path) }
}
