import AgentProtocol
import Glibc
import System
import Testing

@testable import AgentKit

/// Ending anyone who serves a socket: that process, and no other that has its number by now.
@Suite struct AgentProcessTests {
    private static let server = """
        import os, signal, socket, sys
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(sys.argv[1])
        listener.listen()
        os.write(1, b".")
        signal.pause()
        """

    @Test func `the process that serves the socket is told to end`() async throws {
        let folder = try ScratchFolder()
        let (isEnded, again, status) = try await apart { () -> (Bool, Bool, Int32) in
            let path = folder.file("control.sock")
            let said = try Pipe()
            defer { said.close() }
            let pid = try ConnectedChild.spawn(
                "/usr/bin/python3",
                ["-c", Self.server, path],
                output: said.writeEnd
            )
            said.closeWriteEnd()
            var byte: UInt8 = 0
            guard unsafe read(said.readEnd, &byte, 1) == 1 else { return (false, false, -1) }
            let process = try AgentProcess(serving: path)
            guard process.pid == pid, !process.isAgent else { return (false, false, -2) }
            let isEnded = process.end(within: 60)
            var status: Int32 = 0
            unsafe waitpid(pid, &status, 0)
            // Collected: its number is free, and no one gets a signal for it.
            return (isEnded, process.end(within: 0), status)
        }
        #expect(isEnded)
        #expect(again)
        #expect(status == SIGTERM)
    }
}
