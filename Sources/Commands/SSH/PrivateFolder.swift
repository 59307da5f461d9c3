internal import CLinux
internal import Files
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A temporary folder with mode 0700 for pipes and sockets, never files; it is removed when this object is released.
final class PrivateFolder {
    let path: String
    private var held: [Int32] = []

    /// Makes the folder in the session's runtime folder, or in /tmp if that is missing or its path is too long.
    init(in environment: Environment) throws(ConsoleError) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        // The name of a socket has at most 107 bytes.
        let base = runtime.flatMap { $0.utf8.count < 70 ? $0 : nil } ?? "/tmp"
        guard let path = Folder.make("\(base)/hsip-") else { throw .io(code: errno) }
        self.path = path
    }

    /// Makes a named pipe that already contains a line.
    func pipe(_ name: String, holding line: Secret?) throws(ConsoleError) -> (path: String, end: Int32) {
        let path = "\(path)/\(name)"
        guard unsafe mkfifo(path, 0o600) == 0 else { throw .io(code: errno) }
        // Open for both directions: a writer alone would wait for a reader.
        let end = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard end >= 0 else { throw .io(code: errno) }
        held.append(end)
        let descriptor = Descriptor(end)
        if let line { try descriptor.write(line) }
        try descriptor.write([0x0A])
        return (path, end)
    }

    deinit {
        for end in held { close(end) }
        for name in Path.names(in: path) { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
