internal import Files
internal import Glibc
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A text for an editor, in its own folder of mode 0700 on a file system in memory.
///
/// Editors replace the file and keep copies beside it, so a folder is needed, and wiping it removes all of
/// them. Another command removes the folder of a killed one.
final class EditedFile {
    /// File systems in memory, by the number of statfs(2): tmpfs and ramfs.
    private static let inMemory: [UInt32] = [0x0102_1994, 0x8584_58F6]
    private static let beginning = "hsip-edit-"
    /// The depth of nested folders that are wiped; no editor makes more.
    private static let deepest = 8

    let path: String
    private let folder: String
    /// The lock on the folder, held while this program lives.
    private let lock: OpenFile

    /// Writes the text.
    ///
    /// `whenMade` gets the path of each new folder before it is locked; for tests.
    ///
    /// - Throws: `noMemoryFolder` without a file system in memory, because the text must never reach a disk; the
    ///   system's errors for the folder or the file.
    init(
        _ text: borrowing SecretBytes,
        in environment: Environment,
        whenMade: (String) -> Void = { _ in }
    ) throws {
        let bases = [environment["XDG_RUNTIME_DIR"] ?? "", "/dev/shm"].filter { base in
            unsafe base.hasPrefix("/") && Path.fileSystem(of: base).map(Self.inMemory.contains) == true
                && access(base, W_OK | X_OK) == 0
        }
        guard let base = bases.first else { throw Self.noFolder }
        Self.clear(base)
        (folder, lock) = try Self.lockedFolder(in: base, whenMade)
        path = "\(folder)/secret.txt"
        do {
            try OwnFile.write(text, to: path, isFlushed: false)
        } catch {
            Self.wipe(folder)
            throw error
        }
    }

    /// Makes and locks a folder that no other command removes.
    ///
    /// Until it is locked, the folder looks abandoned, so another command may remove it; then the next one is
    /// tried.
    ///
    /// - Throws: the system's errors; `io` if every folder was removed.
    private static func lockedFolder(
        in base: String,
        _ whenMade: (String) -> Void
    ) throws -> (path: String, file: OpenFile) {
        try OpenFile.locked(.alone) { () throws(ConsoleError) in
            guard let folder = Folder.make("\(base)/\(beginning)") else { throw ConsoleError(errno: errno) }
            whenMade(folder)
            guard let lock = try? OpenFile(folder, O_RDONLY | O_DIRECTORY) else {
                unsafe rmdir(folder)
                return nil
            }
            return (folder, lock)
        }
    }

    /// The present text of the file.
    func text() throws -> Secret {
        Secret(try OwnFile.readSecret(path, limit: CredentialText.longest))
    }

    /// Overwrites and removes everything in the folder; `deinit` does it too.
    func remove() { Self.wipe(folder) }

    deinit { Self.wipe(folder) }

    /// Removes the folders that killed programs of this user left.
    private static func clear(_ base: String) {
        for name in Path.names(in: base) where name.hasPrefix(beginning) {
            let folder = "\(base)/\(name)"
            guard let lock = try? OpenFile(folder, O_RDONLY | O_DIRECTORY),
                (try? lock.facts())?.isOwn == true, lock.takeLock(.alone)
            else { continue }
            wipe(folder)
            withExtendedLifetime(lock) {}
        }
    }

    private static func wipe(_ folder: String, depth: Int = 0) {
        for name in Path.names(in: folder) {
            let path = "\(folder)/\(name)"
            guard let facts = FileFacts(at: path) else { continue }
            if facts.isFolder {
                if depth < deepest { wipe(path, depth: depth + 1) }
                continue
            }
            if facts.isFile { overwrite(path, Int(facts.size)) }
            unsafe unlink(path)
        }
        unsafe rmdir(folder)
    }

    private static func overwrite(_ path: String, _ size: Int) {
        guard let file = try? OpenFile(path, O_WRONLY) else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        for start in stride(from: 0, to: size, by: zeros.count) {
            guard (try? file.append(zeros[..<min(size - start, zeros.count)])) != nil else { return }
        }
    }

    private static let noFolder = Failure(
        .noMemoryFolder,
        "hsip needs a folder in memory for the text: neither $XDG_RUNTIME_DIR nor /dev/shm is one",
        hint: "hsip secret set NAME"
    )
}
