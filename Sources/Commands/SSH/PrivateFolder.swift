internal import CLinux
internal import Files
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto
internal import VaultLifecycle

/// A folder of mode 0700 for one act, gone with its last holder; it holds pipes and sockets, never files.
final class PrivateFolder {
    let path: String
    private var held: [Int32] = []

    /// Makes it in the runtime folder of the session, or in /tmp where there is none.
    init(in environment: Environment) throws(ConsoleError) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        // The name of a socket has at most 107 bytes.
        let base = runtime.flatMap { $0.utf8.count < 70 ? $0 : nil } ?? "/tmp"
        guard let path = Folder.make("\(base)/hsip-") else { throw .io(code: errno) }
        self.path = path
    }

    /// A named pipe in which a line waits.
    func pipe(_ name: String, holding line: Secret?) throws(ConsoleError) -> (path: String, end: Int32) {
        let path = "\(path)/\(name)"
        guard unsafe mkfifo(path, 0o600) == 0 else { throw .io(code: errno) }
        // Both directions: a writer alone would wait for its reader.
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
