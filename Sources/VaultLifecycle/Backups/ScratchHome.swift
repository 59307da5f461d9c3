internal import Glibc
internal import LocalState
package import Programs
package import RecordStore

/// A home folder for one trial: private, with folders of its own for data, state and settings, and removed at the end.
package struct ScratchHome: ~Copyable {
    private static let start = "drill-"

    /// The variables of a program that lives in it: no session bus, no keyring.
    package let environment: Environment
    private let path: String
    private let descriptor: Int32

    /// Makes it in a private folder, and removes those that a stopped program left there.
    ///
    /// - Returns: the home; it is there as long as the value is.
    /// - Throws: `unsafeFile` for a folder that others can write; `diskFull`, `io`.
    package static func make(in folder: String) throws(StoreError) -> ScratchHome {
        try PathChecks.makeFolder(folder)
        try PathChecks.folder(folder)
        for name in Path.names(in: folder) where name.hasPrefix(start) { sweep("\(folder)/\(name)") }
        var template = Array("\(folder)/\(start)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemCall.failure }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let descriptor = try SystemCall.retry { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        // Anyone who sweeps sees that it is in use.
        _ = flock(descriptor, LOCK_SH | LOCK_NB)
        var variables = ["HOME": path]
        for name in ["DATA", "STATE", "CONFIG"] { variables["XDG_\(name)_HOME"] = "\(path)/\(name)" }
        return ScratchHome(environment: Environment(variables), path: path, descriptor: descriptor)
    }

    private init(environment: Environment, path: String, descriptor: Int32) {
        self.environment = environment
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        Self.remove(path)
        close(descriptor)
    }

    /// Removes what no process holds.
    private static func sweep(_ path: String) {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return }
        remove(path)
    }

    /// Removes a folder with all that is in it; links are removed, and not followed.
    private static func remove(_ path: String) {
        for name in Path.names(in: path) where name != "." && name != ".." {
            let inside = "\(path)/\(name)"
            if unsafe unlink(inside) != 0 { remove(inside) }
        }
        unsafe rmdir(path)
    }
}
