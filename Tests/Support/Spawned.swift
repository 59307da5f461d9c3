internal import CLinux
internal import Glibc
internal import Synchronization
internal import System

/// A program that a test started; it ends with its last holder.
///
/// It has ordinary signals, the environment that is named, and no descriptor of the test but its pipes.
/// Foundation's `Process` is not used: it crashes when many are started at once, and waiting for one of them
/// takes a thread that others need to get on.
public final class Spawned: Sendable {
    /// How a program ended, and what it wrote.
    public struct End: Sendable {
        /// Its exit status; 128 and the signal when one ended it.
        public let status: Int32
        /// What it wrote to standard output.
        public let output: [UInt8]
        /// What it wrote to standard error.
        public let errors: [UInt8]
    }

    private struct State {
        var feed: Int32
        var status: Int32?
    }

    /// The longest that anything is waited for, in seconds: only so that a test run ends.
    private static let patience = 300

    /// The number of the process.
    let identifier: Int32
    private let name: String
    private let talk: Int32
    private let complaint: Int32
    private let state: Mutex<State>

    /// Starts a program, which waits for its input until that is ended.
    ///
    /// - Parameters:
    ///   - path: A program, or its name in `/usr/bin`.
    ///   - arguments: What follows its name.
    ///   - environment: All its variables.
    ///   - folder: Where it runs; where the test runs when nil.
    ///   - keepsErrors: Without it standard error is dropped, as for a program that lives on while no one
    ///     reads.
    /// - Throws: `HelperFailure` when it cannot be started.
    public init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        folder: String? = nil,
        keepsErrors: Bool = true
    ) throws {
        Glibc.signal(SIGPIPE, SIG_IGN)
        name = ([path] + arguments).joined(separator: " ")
        let pipes = try (Pipe(), Pipe(), Pipe())
        let command = [path.hasPrefix("/") ? path : "/usr/bin/" + path] + arguments
        do {
            identifier = try Self.start(
                (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + command,
                environment.map { "\($0)=\($1)" },
                [pipes.0.readEnd, pipes.1.writeEnd] + (keepsErrors ? [pipes.2.writeEnd] : [])
            )
        } catch {
            pipes.0.close()
            pipes.1.close()
            pipes.2.close()
            throw error
        }
        pipes.0.closeReadEnd()
        pipes.1.closeWriteEnd()
        pipes.2.closeWriteEnd()
        (talk, complaint) = (pipes.1.readEnd, pipes.2.readEnd)
        state = Mutex(State(feed: pipes.0.writeEnd))
    }

    /// Runs a program to its end.
    public static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        folder: String? = nil,
        input: [UInt8] = []
    ) throws -> End {
        try Spawned(path, arguments, environment: environment, folder: folder).end(input: input)
    }

    /// Feeds it something, which is short enough for a pipe, and goes on.
    func tell(_ input: String) throws {
        let bytes = Array(input.utf8)
        let count = state.withLock { unsafe write($0.feed, bytes, bytes.count) }
        guard count == bytes.count else { throw failure("takes no input") }
    }

    /// Ends its input.
    func endInput() {
        state.withLock {
            if $0.feed >= 0 { close($0.feed) }
            $0.feed = -1
        }
    }

    /// Waits for one line, and takes not a byte more.
    func readLine() throws -> String {
        var line: [UInt8] = []
        let deadline = Deadline(seconds: Self.patience)
        while try isReadable(deadline) {
            var byte: UInt8 = 0
            guard unsafe Glibc.read(talk, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        guard !line.isEmpty else { throw failure("said nothing") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Feeds it the rest, reads all that it writes, and waits for its end.
    func end(input: [UInt8] = []) throws -> End {
        let deadline = Deadline(seconds: Self.patience)
        var rest = input[...]
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        var (talk, complaint) = (self.talk, self.complaint)
        let feed = state.withLock { $0.feed }
        if feed >= 0 { _ = fcntl(feed, F_SETFL, O_NONBLOCK) }
        while talk >= 0 || complaint >= 0 {
            if rest.isEmpty { endInput() }
            var requests = [
                pollfd(fd: talk, events: Int16(POLLIN), revents: 0),
                pollfd(fd: complaint, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : feed, events: Int16(POLLOUT), revents: 0),
            ]
            guard unsafe poll(&requests, 3, deadline.remaining) != 0 else { throw failure("does not end") }
            if requests[0].revents != 0, !Self.take(talk, into: &output) { talk = -1 }
            if requests[1].revents != 0, !Self.take(complaint, into: &errors) { complaint = -1 }
            if requests[2].revents != 0 {
                let count = unsafe rest.withUnsafeBytes { unsafe write(feed, $0.baseAddress, $0.count) }
                // Anyone who closed the pipe wants no more, and may still have something to say.
                rest = count > 0 ? rest.dropFirst(count) : errno == EAGAIN || errno == EINTR ? rest : []
            }
        }
        endInput()
        return End(status: wait(), output: output, errors: errors)
    }

    /// Sends it a signal, unless it is gone.
    func signal(_ number: Int32) {
        state.withLock { if $0.status == nil { Glibc.kill(identifier, number) } }
    }

    /// Ends it at once, and waits until it is gone.
    func kill() {
        signal(SIGKILL)
        _ = wait()
    }

    deinit {
        kill()
        endInput()
        close(talk)
        close(complaint)
    }

    /// Waits until it is gone.
    private func wait() -> Int32 {
        // Its number stays its own until it is reaped, which is done where no one sends a signal meanwhile.
        var facts = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return state.withLock { state in
            if let status = state.status { return status }
            var word: Int32 = 0
            unsafe waitpid(identifier, &word, 0)
            // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not import.
            let status = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
            state.status = status
            return status
        }
    }

    private func isReadable(_ deadline: Deadline) throws -> Bool {
        var request = pollfd(fd: talk, events: Int16(POLLIN), revents: 0)
        var ready = unsafe poll(&request, 1, deadline.remaining)
        while ready < 0, errno == EINTR { ready = unsafe poll(&request, 1, deadline.remaining) }
        guard ready != 0 else { throw failure("stays silent") }
        return ready > 0
    }

    private func failure(_ what: String) -> HelperFailure {
        HelperFailure(description: "\(name) \(what)")
    }

    /// Adds what is there; false at the end.
    private static func take(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
        if count > 0 { bytes += chunk.prefix(count) }
        return count > 0 || count < 0 && errno == EINTR
    }
}
