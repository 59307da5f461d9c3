internal import CLinux
internal import Glibc
internal import VaultLifecycle

/// The process that owns a name on the bus, held by a descriptor: its number may be another's later.
package struct NameHolder: ~Copyable {
    private let descriptor: Int32
    /// The path of its program, or else what it can be called.
    package let name: String
    /// Its program was replaced, as by an update.
    package let isReplaced: Bool

    /// Whether it is hsip-secrets, by its file's name.
    package var isOwn: Bool { name.hasSuffix("/hsip-secrets") }

    package init(_ process: Int32) {
        descriptor = hsip_process_open(process)
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/\(process)/exe", &bytes, bytes.count - 1)
        guard count > 0 else {
            (name, isReplaced) = ("process \(process)", false)
            return
        }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let mark = " (deleted)"
        isReplaced = path.hasSuffix(mark)
        name = isReplaced ? String(path.dropLast(mark.count)) : path
    }

    /// Sends SIGTERM and waits for the end; false where it does not end in time, or belongs to another user.
    package borrowing func end(seconds: Int32) -> Bool {
        guard descriptor >= 0, hsip_process_signal(descriptor, SIGTERM) == 0 else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, seconds * 1_000) == 1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
