internal import Files
internal import Glibc
package import RecordStore
package import System

/// A private home folder for one trial, with its own folders for data, state and settings; removed at the end.
package struct ScratchHome: ~Copyable {
    private static let start = "drill-"

    /// The variables of a program that runs in it, which has no session bus and no keyring.
    package let environment: Environment
    private let path: String
    private let lock: LocalFile

    /// Makes a home in a private folder, and removes homes that a stopped program left there.
    ///
    /// - Returns: the home; its folder exists as long as the value does.
    /// - Throws: `unsafeFile` for a folder that others can write; `diskFull`, `io`.
    package static func make(in folder: String) throws(StoreError) -> ScratchHome {
        try PathChecks.makeFolder(folder)
        try PathChecks.folder(folder)
        for path in all(in: folder) { sweep(path) }
        // The lock shows other programs that sweep the folder that this home is in use.
        let (path, lock) = try LocalFile.locked(.shared) { () throws(StoreError) in
            guard let path = Folder.make("\(folder)/\(start)") else { throw SystemCall.failure }
            guard let file = try? LocalFile(path, O_RDONLY | O_DIRECTORY) else { return nil }
            return (path, file)
        }
        var variables = ["HOME": path]
        for name in ["DATA", "STATE", "CONFIG"] { variables["XDG_\(name)_HOME"] = "\(path)/\(name)" }
        return ScratchHome(environment: Environment(variables), path: path, lock: lock)
    }

    /// The homes that a stopped program left in a folder.
    package static func left(in folder: String) -> [String] {
        all(in: folder).filter { path in takeAbandoned(path) { _ in } }
    }

    private init(environment: Environment, path: String, lock: LocalFile) {
        self.environment = environment
        self.path = path
        self.lock = lock
    }

    deinit {
        Self.remove(path)
    }

    /// Removes a home that no process holds.
    package static func sweep(_ path: String) { _ = takeAbandoned(path, remove) }

    private static func all(in folder: String) -> [String] {
        Path.names(in: folder).filter { $0.hasPrefix(start) }.map { "\(folder)/\($0)" }
    }

    /// Locks a home that no process holds and runs `act` on it; returns whether the lock was free.
    private static func takeAbandoned(_ path: String, _ act: (String) -> Void) -> Bool {
        guard let folder = try? LocalFile(path, O_RDONLY | O_DIRECTORY), folder.takeLock(.alone) else {
            return false
        }
        act(path)
        return withExtendedLifetime(folder) { true }
    }

    /// Removes a folder with its contents; links are removed, and not followed.
    static func remove(_ path: String) {
        for name in Path.names(in: path) {
            let inside = "\(path)/\(name)"
            if FileFacts(at: inside)?.isFolder == true {
                remove(inside)
            } else {
                unsafe unlink(inside)
            }
        }
        unsafe rmdir(path)
    }
}
