internal import Glibc
internal import LocalState
package import Programs
package import RecordStore

/// A home folder for one trial: private, with folders of its own for data, state and settings, and removed at the end.
package struct ScratchHome: ~Copyable {
    private static let start = "drill-"
    /// Folders that are made before it is given up that one of them stays.
    private static let maximumTried = 100

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
        for path in all(in: folder) { sweep(path) }
        let (path, descriptor) = try makeFolder(in: folder)
        var variables = ["HOME": path]
        for name in ["DATA", "STATE", "CONFIG"] { variables["XDG_\(name)_HOME"] = "\(path)/\(name)" }
        return ScratchHome(environment: Environment(variables), path: path, descriptor: descriptor)
    }

    /// An empty folder, with a lock by which anyone who sweeps sees that it is in use.
    ///
    /// A sweep that finds it before it has its lock removes it; then another one is made.
    ///
    /// - Throws: `busy` where one after the other is removed; `diskFull`, `io`.
    private static func makeFolder(in folder: String) throws(StoreError) -> (String, Int32) {
        for _ in 0..<maximumTried {
            var template = Array("\(folder)/\(start)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else { throw SystemCall.failure }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            // A sweep holds its own lock until the folder is gone; where there are no locks it removes nothing.
            try? SystemCall.lock(descriptor, LOCK_SH)
            if unsafe access(path, F_OK) == 0 { return (path, descriptor) }
            close(descriptor)
        }
        throw .busy
    }

    /// Those that a stopped program left in a folder.
    package static func left(in folder: String) -> [String] {
        all(in: folder).filter { path in takeAbandoned(path) { _ in } }
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

    /// Removes one that no process holds.
    package static func sweep(_ path: String) { _ = takeAbandoned(path, remove) }

    private static func all(in folder: String) -> [String] {
        Path.names(in: folder).filter { $0.hasPrefix(start) }.map { "\(folder)/\($0)" }
    }

    /// Does something to one that no process holds, while none can take it; whether there was one.
    private static func takeAbandoned(_ path: String, _ act: (String) -> Void) -> Bool {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else { return false }
        act(path)
        return true
    }

    /// Removes a folder with all that is in it; links are removed, and not followed.
    static func remove(_ path: String) {
        for name in Path.names(in: path) where name != "." && name != ".." {
            let inside = "\(path)/\(name)"
            if let facts = try? FileFacts(inside), facts.type == S_IFDIR {
                remove(inside)
            } else {
                unsafe unlink(inside)
            }
        }
        unsafe rmdir(path)
    }
}
