import Glibc

@testable import AgentKit

/// Runs what blocks on a thread of its own, so that no task's thread waits, and something else meanwhile.
func onOwnThread<R: Sendable>(
    _ body: @escaping @Sendable () -> R,
    while meanwhile: @escaping @Sendable () -> Void
) async -> R {
    await withCheckedContinuation { continuation in
        do {
            try OwnThread.start("test") { continuation.resume(returning: body()) }
            meanwhile()
        } catch {
            preconditionFailure("no thread")
        }
    }
}

/// Two ends of one local connection.
final class SocketPair {
    let ours: Int32
    private(set) var theirs: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw SystemError.failed(call: "socketpair", code: errno)
        }
        (ours, theirs) = (ends[0], ends[1])
    }

    func send(_ bytes: [UInt8]) -> Bool { unsafe write(theirs, bytes, bytes.count) == bytes.count }

    func closeTheirs() {
        if theirs >= 0 { close(theirs) }
        theirs = -1
    }

    deinit {
        closeTheirs()
        close(ours)
    }
}

/// A folder of ours alone, gone at the end.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/hsip-agent-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError.failed(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    deinit {
        guard let folder = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { unsafe unlink(file(name)) }
        }
        unsafe closedir(folder)
        unsafe rmdir(path)
    }
}
