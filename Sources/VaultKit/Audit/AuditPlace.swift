internal import Files
internal import Glibc
internal import RecordStore
internal import VaultCrypto

/// The files of a vault's audit log: one folder with the present file and the older ones.
struct AuditPlace: Sendable {
    /// Bytes after which a file is closed and another begun.
    static let fullSize = 4 << 20
    /// Most files that are kept; the oldest one goes.
    static let maximumSegments = 8

    let folder: String
    let vaultID: [UInt8]
    /// The file that is written to: its path, and its name in the folder.
    let (current, currentName): (String, String)

    init(folder: String, vaultID: [UInt8]) {
        self.folder = folder
        self.vaultID = vaultID
        currentName = "\(Hex.encode(vaultID)).log"
        current = "\(folder)/\(currentName)"
    }

    /// The name of a file that is closed.
    func closed(_ segment: UInt32) -> String { "\(folder)/\(Hex.encode(vaultID)).\(segment).log" }

    /// Makes the folder where it is missing, and opens it.
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

    /// The numbers of the files that are closed, ascending.
    func closedSegments() -> [UInt32] {
        let prefix = "\(Hex.encode(vaultID))."
        var numbers: [UInt32] = []
        for name in Folder.names(in: folder) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(".log") else { continue }
            let middle = name.dropFirst(prefix.count).dropLast(4)
            // As in a header: no name of a file may lead to a number that cannot be followed by another.
            guard let number = UInt32(middle), String(number) == middle, number > 0, number < 1 << 31 else {
                continue
            }
            numbers.append(number)
        }
        return numbers.sorted()
    }

    /// Renames the present file, so that another can be begun, and lets the oldest ones go.
    func close(_ segment: UInt32) throws(AuditError) {
        var number = segment
        // Something has the name already: the numbers above are free soon enough.
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

    /// How many bytes it has.
    func size() throws(AuditError) -> Int { Int(try facts().size) }

    /// How many bytes it has, if a name in a folder still leads to it; nil where the name leads elsewhere or nowhere.
    func size(at name: String, in folder: AuditFile) -> Int? {
        guard let named = folder.facts(ofName: name), named.identity == (try? facts().identity) else {
            return nil
        }
        return Int(named.size)
    }

    /// Writes all bytes, or removes those it wrote.
    func add(_ bytes: [UInt8], at offset: Int) throws(AuditError) {
        do throws(AuditError) {
            try write(bytes, at: offset)
        } catch {
            // A file that cannot be cut either has a torn end, which the next writer finds.
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
