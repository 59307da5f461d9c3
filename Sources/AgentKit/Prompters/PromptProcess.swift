internal import Glibc
internal import System
internal import VaultCrypto

/// A program that asks the person, for the duration of one prompt.
///
/// It gets only the three standard descriptors and the named environment. Every wait ends at the deadline or when the
/// answer is no longer needed. When this value ends, the program and its children have ended and are collected.
final class PromptProcess {
    /// The milliseconds in which an ending program may restore the terminal or the screen.
    private static let grace: Int32 = 500

    private let process: Int32
    private let feed: Pipe
    private let yield: Pipe
    private let seconds: Int
    private let deadline: Deadline
    private let cancellation: Cancellation
    private var ended: Int32?

    init(
        _ path: String,
        _ arguments: [String],
        _ environment: [String],
        seconds: Int,
        _ cancellation: Cancellation
    ) throws(PromptError) {
        guard !cancellation.isCancelled else { throw .cancelled }
        signal(SIGPIPE, SIG_IGN)
        self.seconds = seconds
        self.cancellation = cancellation
        deadline = Deadline(seconds: seconds)
        do throws(ProgramError) {
            (feed, yield) = (try Pipe(), try Pipe())
            process = try ChildProcess.start(
                path,
                arguments,
                environment,
                input: feed.readEnd,
                output: yield.writeEnd,
                leadsGroup: true
            )
        } catch .noSuchFile, .notReadable {
            throw .nobody
        } catch {
            throw .noResources
        }
        feed.closeReadEnd()
        yield.closeWriteEnd()
        _ = fcntl(feed.writeEnd, F_SETFL, O_NONBLOCK)
    }

    /// Writes all bytes.
    ///
    /// - Throws: `failed` when the program has closed its input.
    func write(_ bytes: [UInt8]) throws(PromptError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: feed.writeEnd, POLLOUT)
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(feed.writeEnd, $0.baseAddress, $0.count)
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw .failed(status: 0) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Writes a complete secret from locked memory.
    ///
    /// - Throws: `failed` when the program has closed its input.
    func write(_ secret: Secret) throws(PromptError) {
        var place = 0
        while place < secret.count {
            try wait(for: feed.writeEnd, POLLOUT)
            let count = secret.withBytes { bytes in
                unsafe bytes.extracting(droppingFirst: place).withUnsafeBytes {
                    unsafe Glibc.write(feed.writeEnd, $0.baseAddress, $0.count)
                }
            }
            guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw .failed(status: 0) }
            place += max(0, count)
        }
    }

    /// Ends the program's input.
    func closeInput() {
        feed.closeWriteEnd()
    }

    /// Reads available bytes, and waits for at least one; 0 at the end.
    func read(into span: inout MutableRawSpan) throws(PromptError) -> Int {
        try wait(for: yield.readEnd, POLLIN)
        do throws(ProgramError) {
            return try Descriptor(yield.readEnd).read(into: &span)
        } catch {
            throw .failed(status: 0)
        }
    }

    /// Waits until the program ends.
    ///
    /// - Returns: its exit status, or 128 plus the signal that ended it.
    func status() throws(PromptError) -> Int32 {
        while true {
            if hasEnded() { return collect() }
            let time = min(5, deadline.remaining)
            guard time > 0 else { throw .timedOut(seconds: seconds) }
            guard cancellation.wait(for: -1, milliseconds: time) != .cancelled else { throw .cancelled }
        }
    }

    private func wait(for descriptor: Int32, _ events: Int32) throws(PromptError) {
        switch cancellation.wait(for: descriptor, events, milliseconds: deadline.remaining) {
        case .ready: return
        case .cancelled: throw .cancelled
        case .timedOut: throw .timedOut(seconds: seconds)
        }
    }

    /// Whether the program has ended; it stays uncollected, so that its number is not reused.
    private func hasEnded() -> Bool {
        var facts = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT)
        return unsafe result != 0 || facts.si_signo == SIGCHLD
    }

    /// Collects the status of the ended program, after ending its remaining children.
    private func collect() -> Int32 {
        if let ended { return ended }
        kill(-process, SIGKILL)
        // A status that cannot be determined counts as a failure.
        var status: Int32 = 0xFF00
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        // The macros WIFEXITED and WEXITSTATUS by hand: Swift does not import them.
        let signal = status & 0x7F
        let result = signal == 0 ? status >> 8 & 0xFF : 128 + signal
        ended = result
        return result
    }

    deinit {
        feed.close()
        yield.close()
        guard ended == nil else { return }
        kill(-process, SIGTERM)
        var left = Self.grace
        while left > 0, !hasEnded() {
            _ = poll(nil, 0, 5)
            left -= 5
        }
        // A program that is still running is ended here with its group, and collected.
        _ = collect()
    }
}
