internal import CLinux
internal import Glibc
package import VaultCrypto

/// A helper program that is run to its end: its input, its output, and a deadline after which it is killed.
///
/// The child gets the three standard descriptors and `file`, the named environment variables, and default signal
/// handling. Its stderr is dropped unless `runKeepingErrors` runs it.
package struct ChildProcess {
    package let path: String
    package var arguments: [String] = []
    /// The environment variables of the child, as `NAME=value`.
    package var environment: [String] = []
    package var input: [UInt8] = []
    /// Input in locked memory, which replaces `input`.
    package var secretInput: Secret?
    /// The content of a file in memory, not secret, which the child finds at `filePath`.
    package var file: [UInt8]?
    /// False to drop stdout too, so that a child in the background (the clipboard's owner) keeps no pipe of ours open.
    package var keepsOutput = true
    /// The write end of a pipe that becomes the child's stdout; `run` returns no output then.
    ///
    /// The caller reads a short secret from that pipe.
    package var outputEnd: Int32?
    package var seconds = 10
    package var limit = 1 << 20
    /// The longest file, in bytes, that the child and its children may write; nil for no limit.
    package var largestFile: Int?
    /// True to run the child without a terminal, in a session whose processes are all killed if `run` fails.
    package var leadsSession = false
    /// When this descriptor can be read, the child gets SIGTERM and has two more seconds to end.
    package var stop: Int32?
    /// The watch for signals that end this program: such a signal ends the child first.
    package var signals: SignalWatch?

    package init(path: String) {
        self.path = path
    }

    /// The path at which the child finds `file`.
    package static let filePath = "/proc/self/fd/\(fileNumber)"
    private static let fileNumber: Int32 = 3

    /// Finds a program in the absolute folders of `$PATH`; relative folders are ignored.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first {
            unsafe access($0, X_OK) == 0
        }
    }

    /// How many bytes of the child's stderr are kept.
    private static let errorLimit = 1 << 16

    /// Runs the child to its end.
    ///
    /// - Returns: Its exit status (128 plus the number of the signal that ended it) and its output.
    /// - Throws: `timedOut`; `tooLarge` if the output exceeds the limit; `interrupted` by a watched signal; `io` or another
    ///   error of the system if the child cannot be started.
    package func run() throws(ProgramError) -> (status: Int32, output: [UInt8]) {
        let end = try run(keepsErrors: false)
        return (end.status, end.output)
    }

    /// Runs the child as `run` does, and also returns the first 64 KiB of its stderr.
    package func runKeepingErrors() throws(ProgramError) -> (status: Int32, output: [UInt8], errors: [UInt8])
    {
        try run(keepsErrors: true)
    }

    private func run(
        keepsErrors: Bool
    ) throws(ProgramError) -> (status: Int32, output: [UInt8], errors: [UInt8]) {
        signal(SIGPIPE, SIG_IGN)
        let feed = try Pipe()
        let yield = try Pipe()
        let complaint = try Pipe()
        defer {
            feed.close()
            yield.close()
            complaint.close()
        }
        let memory = try file.map { (bytes) throws(ProgramError) in try Self.memoryFile(bytes) }
        defer { if let memory { close(memory) } }
        let process = try limitingFiles { () throws(ProgramError) in
            try Self.start(
                path,
                arguments,
                environment,
                input: feed.readEnd,
                output: outputEnd ?? (keepsOutput ? yield.writeEnd : nil),
                errors: keepsErrors ? complaint.writeEnd : nil,
                more: memory.map { [(Self.fileNumber, $0)] } ?? [],
                leadsSession: leadsSession
            )
        }
        feed.closeReadEnd()
        yield.closeWriteEnd()
        complaint.closeWriteEnd()
        let deadline = Deadline(seconds: seconds)
        do throws(ProgramError) {
            let said = try exchange(feed, yield, complaint, deadline)
            feed.closeWriteEnd()
            return (try wait(for: process, deadline), said.output, said.errors)
        } catch {
            kill(leadsSession ? -process : process, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(process, &status, 0)
            throw error
        }
    }

    /// Makes a file in memory, without a name, sealed against changes.
    private static func memoryFile(_ bytes: [UInt8]) throws(ProgramError) -> Int32 {
        let number = hsip_memory_file()
        guard number >= 0 else { throw ProgramError(errno: errno) }
        do throws(ProgramError) {
            try Descriptor(number).write(bytes)
            guard hsip_seal_memory_file(number) == 0 else { throw ProgramError(errno: errno) }
            return number
        } catch {
            close(number)
            throw error
        }
    }

    /// Starts the child with the limit `largestFile`.
    ///
    /// posix_spawn(3) cannot set a limit, so this process has it meanwhile.
    private func limitingFiles(_ start: () throws(ProgramError) -> pid_t) throws(ProgramError) -> pid_t {
        guard let largestFile else { return try start() }
        let files = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var own = rlimit()
        guard unsafe getrlimit(files, &own) == 0 else { throw ProgramError(errno: errno) }
        var limit = rlimit(rlim_cur: min(rlim_t(largestFile), own.rlim_max), rlim_max: own.rlim_max)
        guard unsafe setrlimit(files, &limit) == 0 else { throw ProgramError(errno: errno) }
        defer { unsafe setrlimit(files, &own) }
        return try start()
    }

    /// Writes the input and reads the output in alternation, so that neither process blocks the other.
    private func exchange(
        _ feed: Pipe,
        _ yield: Pipe,
        _ complaint: Pipe,
        _ deadline: Deadline
    ) throws(ProgramError) -> (output: [UInt8], errors: [UInt8]) {
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        var fed = 0
        let size = secretInput?.count ?? input.count
        var chunk = [UInt8](repeating: 0, count: 16_384)
        _ = fcntl(feed.writeEnd, F_SETFL, O_NONBLOCK)
        if fed == size { feed.closeWriteEnd() }
        // If the output is dropped, the write end of the pipe is closed already.
        if !keepsOutput { yield.closeReadEnd() }
        while yield.readEnd >= 0 || complaint.readEnd >= 0 || fed < size {
            var requests = [
                pollfd(fd: yield.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: complaint.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: fed == size ? -1 : feed.writeEnd, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let ready = unsafe poll(&requests, 4, deadline.remaining)
            try checkSignals()
            guard ready != 0 else { throw .timedOut(seconds: seconds) }
            if requests[2].revents != 0 {
                let count = give(to: feed.writeEnd, from: fed)
                // A child that closed its stdin may still write.
                fed = count > 0 ? fed + count : errno == EAGAIN || errno == EINTR ? fed : size
                if fed == size { feed.closeWriteEnd() }
            }
            if requests[0].revents != 0 {
                let count = unsafe read(yield.readEnd, &chunk, chunk.count)
                if count == 0 { yield.closeReadEnd() }
                if count > 0 { output += chunk.prefix(count) }
                guard output.count <= limit else { throw .tooLarge(limit: limit) }
            }
            if requests[1].revents != 0 {
                let count = unsafe read(complaint.readEnd, &chunk, chunk.count)
                if count == 0 { complaint.closeReadEnd() }
                if count > 0 { errors += chunk.prefix(min(count, Self.errorLimit - errors.count)) }
            }
        }
        return (output, errors)
    }

    /// Writes the rest of the input, as much as the pipe accepts.
    private func give(to end: Int32, from place: Int) -> Int {
        func give(_ span: RawSpan) -> Int {
            unsafe span.extracting(droppingFirst: place).withUnsafeBytes {
                unsafe write(end, $0.baseAddress, $0.count)
            }
        }
        return if let secretInput { secretInput.withBytes(give) } else { input.withBytes(give) }
    }

    private func wait(for process: pid_t, _ deadline: Deadline) throws(ProgramError) -> Int32 {
        var status: Int32 = 0
        let end = hsip_process_open(process)
        defer { if end >= 0 { _ = close(end) } }
        var (deadline, stop) = (deadline, stop)
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            try checkSignals()
            guard deadline.remaining > 0 else { throw .timedOut(seconds: seconds) }
            // If the kernel has no descriptor for a process, the loop looks every two milliseconds.
            var requests = [
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            unsafe poll(&requests, 3, end >= 0 ? deadline.remaining : 2)
            if requests[2].revents != 0 {
                (stop, deadline) = (nil, Deadline(seconds: 2))
                kill(process, SIGTERM)
            }
        }
        // The macros WIFEXITED and WEXITSTATUS by hand: Swift does not import them.
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    private func checkSignals() throws(ProgramError) {
        if let signal = signals?.caught { throw .interrupted(signal: signal) }
    }
}
