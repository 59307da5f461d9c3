internal import Files
internal import Glibc
internal import Presentation
internal import Secrets
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A text that an editor changes, in a folder of mode 0700 of its own on a file system in memory.
///
/// A folder and no bare descriptor: editors put a new file in the place of the old one and keep copies beside it, and
/// all of that is wiped with the folder. Another command takes away what a killed one left behind.
final class EditedFile {
    /// File systems without a disk, by the number of statfs(2): tmpfs and ramfs.
    private static let inMemory: [UInt32] = [0x0102_1994, 0x8584_58F6]
    private static let beginning = "hsip-edit-"
    /// Folders in folders that are wiped; no editor makes more.
    private static let deepest = 8

    let path: String
    private let folder: String
    /// Held locked, as long as this program lives.
    private let lock: OpenFile

    /// Writes the text.
    ///
    /// `whenMade` hears of each new folder before it is locked; for tests. Throws `noMemoryFolder` where
    /// nothing lies in memory, since a disk never sees the text; and what the system says of the folder or
    /// the file.
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

    /// A new folder that no other command takes away.
    ///
    /// Before it is locked it looks like one that was left behind, so another command may take it meanwhile: then the next
    /// one is tried.
    ///
    /// - Throws: what the system says; `io` where that happens again and again.
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

    /// What it holds now.
    func text() throws -> Secret {
        Secret(try OwnFile.readSecret(path, limit: CredentialText.longest))
    }

    /// Overwrites everything in the folder and takes it away; also done at the end of its life.
    func remove() { Self.wipe(folder) }

    deinit { Self.wipe(folder) }

    /// Takes away what killed programs of this user left.
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
