internal import Files
internal import Glibc

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

    /// Writes all of it, or takes back what it wrote.
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
