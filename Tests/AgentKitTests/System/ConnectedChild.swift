import Glibc
import Synchronization
import System

@testable import AgentKit

/// A program of its own that connects to us; it repeats the first byte it gets, or becomes `cat` after it.
final class ConnectedChild: Sendable {
    let pid: Int32
    let socket: Int32
    private let listener: Listener
    private let isOver = Atomic(false)

    private static let script = """
        import os, socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        s.recv(1)
        os.dup2(s.fileno(), 0)
        os.dup2(s.fileno(), 1)
        os.execv("/bin/cat", ["cat"])
        """

    /// Blocks until it is connected: for threads that may wait.
    init(in folder: ScratchFolder) throws {
        let path = folder.file("child.sock")
        listener = try Listener.bind(path: path)
        pid = try Self.spawn("/usr/bin/python3", ["-c", Self.script, path])
        var request = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        let came = unsafe poll(&request, 1, 60_000)
        socket = came > 0 ? listener.accept() : -1
    }

    func say(_ text: String) { _ = unsafe write(socket, text, text.utf8.count) }

    func hear() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe read(socket, &byte, 1) == 1 ? byte : nil
    }

    /// Kills it and waits for its end, so that its number is free.
    func end() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(pid, &status, 0)
    }

    deinit { close(socket) }

    /// Starts a program that inherits nothing.
    static func spawn(_ path: String, _ arguments: [String], output: Int32? = nil) throws -> pid_t {
        let plan = SpawnPlan()
        if let output { plan.give(output, as: STDOUT_FILENO) }
        plan.close(from: 3)
        plan.resetSignals()
        return try unsafe CStrings.with([path] + arguments) { words throws(ProgramError) in
            try unsafe plan.start(path, words, environ)
        }
    }
}
