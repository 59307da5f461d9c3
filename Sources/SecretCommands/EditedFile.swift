internal import Console
internal import Credentials
internal import Glibc
internal import Programs
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
    /// Folders that are tried: another command takes one only in the moment before it is locked.
    private static let maximumTries = 100

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
    /// - Throws: what the system says; `EBUSY` where that happens again and again.
    private static func lockedFolder(
        in base: String,
        _ whenMade: (String) -> Void
    ) throws -> (folder: String, lock: OpenFile) {
        for _ in 0..<maximumTries {
            // mkdtemp(3) puts letters of its own in the place of the six X.
            var name = Array("\(base)/\(beginning)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&name) != nil else { throw ConsoleError(errno: errno) }
            let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            whenMade(folder)
            guard let lock = try? OpenFile(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
                unsafe rmdir(folder)
                continue
            }
            let isHeld = lock.use { file in
                var (held, named) = (stat(), stat())
                return unsafe flock(file.number, LOCK_EX | LOCK_NB) == 0 && fstat(file.number, &held) == 0
                    && lstat(folder, &named) == 0 && held.st_dev == named.st_dev
                    && held.st_ino == named.st_ino
            }
            if isHeld { return (folder, lock) }
            // It is empty still: the other command takes it away, or this one does.
            unsafe rmdir(folder)
        }
        throw ConsoleError(errno: EBUSY)
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
            guard let lock = try? OpenFile(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
                (try? lock.status())?.owner == geteuid(),
                lock.use({ flock($0.number, LOCK_EX | LOCK_NB) }) == 0
            else { continue }
            wipe(folder)
        }
    }

    private static func wipe(_ folder: String, depth: Int = 0) {
        for name in Path.names(in: folder) where name != "." && name != ".." {
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard unsafe lstat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                if depth < deepest { wipe(path, depth: depth + 1) }
                continue
            }
            if facts.st_mode & S_IFMT == S_IFREG { overwrite(path, Int(facts.st_size)) }
            unsafe unlink(path)
        }
        unsafe rmdir(folder)
    }

    private static func overwrite(_ path: String, _ size: Int) {
        guard let file = try? OpenFile(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var left = size
        while left > 0 {
            let count = min(left, zeros.count)
            guard (try? file.use({ try $0.write(zeros, count: count) })) != nil else { return }
            left -= count
        }
    }

    private static let noFolder = Failure(
        .noMemoryFolder,
        "hsip needs a folder in memory for the text: neither $XDG_RUNTIME_DIR nor /dev/shm is one",
        hint: "hsip secret set NAME"
    )
}
