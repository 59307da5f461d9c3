import CLinux
import Files
import Glibc
import Testing

@testable import AgentKit

@Suite struct ListenerTests {
    let folder: ScratchFolder
    var path: String { folder.file("ssh.sock") }

    init() throws { folder = try ScratchFolder() }

    @Test func `only its owner can reach a socket`() throws {
        let listener = try Listener.bind(path: path)
        var facts = stat()
        #expect(unsafe lstat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(listener.isInPlace)
    }

    @Test func `folders that others make meanwhile keep their modes`() async throws {
        let (path, place) = (path, folder.file("made"))
        async let bound: Void = onOwnThread {
            for _ in 0..<500 { _ = try? Listener.bind(path: path) }
        } while: {
        }
        for number in 0..<5_000 {
            let made = "\(place)-\(number)"
            #expect(unsafe mkdir(made, 0o700) == 0)
            var facts = stat()
            #expect(unsafe lstat(made, &facts) == 0)
            try #require(facts.st_mode & 0o777 == 0o700)
            #expect(unsafe rmdir(made) == 0)
        }
        await bound
    }

    @Test func `a second agent is refused, and the first one's socket stays`() throws {
        let first = try Listener.bind(path: path)
        #expect(throws: SystemError.alreadyServed(path: path)) { try Listener.bind(path: path) }
        #expect(first.isInPlace)
    }

    @Test func `the socket that a dead agent left is replaced`() throws {
        do { _ = try Listener.bind(path: path) }
        #expect(FileFacts(at: path)?.identity != nil)
        let next = try Listener.bind(path: path)
        #expect(next.isInPlace)
    }

    @Test func `a socket on which another program listens is left alone`() throws {
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        #expect(LocalAddress(path).bind(other) == 0)
        #expect(listen(other, 1) == 0)
        #expect(throws: SystemError.alreadyServed(path: path)) { try Listener.bind(path: path) }
    }

    @Test(arguments: ["file", "folder", "link"]) func `what is no socket is left alone`(kind: String) throws {
        switch kind {
        case "file": close(unsafe creat(path, 0o600))
        case "folder": unsafe mkdir(path, 0o700)
        default: unsafe symlink("/dev/null", path)
        }
        #expect(throws: SystemError.pathTaken(path: path)) { try Listener.bind(path: path) }
        if kind == "folder" { unsafe rmdir(path) }
    }

    @Test(arguments: ["pipe", "link"])
    func `what is no file at the name of the lock is named`(kind: String) throws {
        let lock = path + ".lock"
        if kind == "pipe" { unsafe mkfifo(lock, 0o600) } else { unsafe symlink("/dev/null", lock) }
        #expect(throws: SystemError.pathTaken(path: lock)) { try Listener.bind(path: path) }
    }

    @Test func `a folder that others can enter is refused`() throws {
        unsafe chmod(folder.path, 0o755)
        #expect(throws: SystemError.unsafeFolder(path: folder.path)) { try Listener.bind(path: path) }
    }

    @Test func `a folder that is missing is named as an error`() {
        #expect(throws: SystemError.failed(call: "stat", code: ENOENT)) {
            try Listener.bind(path: folder.file("no/ssh.sock"))
        }
    }

    @Test func `a path of 107 bytes serves, one of 108 is refused`() throws {
        let longest = folder.file(String(repeating: "x", count: 106 - folder.path.utf8.count))
        #expect(longest.utf8.count == 107)
        let listener = try Listener.bind(path: longest)
        #expect(listener.isInPlace)
        listener.remove()
        #expect(throws: SystemError.pathTooLong(path: longest + "x")) {
            try Listener.bind(path: longest + "x")
        }
    }

    @Test func `an agent notices that its socket is gone or is another one`() throws {
        let listener = try Listener.bind(path: path)
        unsafe unlink(path)
        #expect(!listener.isInPlace)
        close(unsafe creat(path, 0o600))
        #expect(!listener.isInPlace)
        listener.remove()
        #expect(FileFacts(at: path)?.identity != nil)
    }

    @Test func `clients above the limit are closed, and a place becomes free again`() async throws {
        let listener = try Listener.bind(path: path)
        let stop = try Cancellation()
        let server = SocketServer(name: "test", listener: listener, limit: 2) { connection in
            var byte: UInt8 = 0
            while unsafe read(connection.socket, &byte, 1) == 1 { unsafe write(connection.socket, &byte, 1) }
        }
        let path = path
        try OwnThread.start("accept") { server.run(until: stop) }
        let echoes = await onOwnThread {
            let clients = (0..<2).map { _ in TestClient(path) }
            let served = clients.map { $0.echoes(7) }
            let third = TestClient(path).echoes(7)
            clients[0].hangUp()
            // The place is free once the server's thread noticed; each try is one accept.
            var fourth = false
            for _ in 0..<100_000 where !fourth { fourth = TestClient(path).echoes(7) }
            let first = clients[1].echoes(9)
            server.hangUpAll()
            let afterwards = clients[1].echoes(9)
            stop.cancel()
            return served + [third, fourth, first, afterwards]
        } while: {
        }
        #expect(echoes == [true, true, false, true, true, false])
    }
}

/// A client that sends one byte and wants it back.
final class TestClient {
    let socket: Int32

    init(_ path: String) {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        _ = LocalAddress(path).connect(socket)
    }

    func echoes(_ byte: UInt8) -> Bool {
        var (sent, got) = (byte, UInt8(0))
        guard unsafe send(socket, &sent, 1, Int32(MSG_NOSIGNAL)) == 1 else { return false }
        return unsafe read(socket, &got, 1) == 1 && got == byte
    }

    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    deinit { close(socket) }
}
