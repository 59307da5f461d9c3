internal import CLinux
internal import Glibc
package import VaultCrypto

/// A helper program, run to its end: its input, its output, and a deadline after which it is killed.
///
/// The child gets no descriptor but the three standard ones, no environment but what is named, and the
/// ordinary answers to signals. Its talk on stderr is dropped, unless `runKeepingErrors` is asked for it.
package struct ChildProcess {
    package let path: String
    package var arguments: [String] = []
    /// `NAME=value` each.
    package var environment: [String] = []
    package var input: [UInt8] = []
    /// Input in locked memory, which takes the place of `input`.
    package var secretInput: Secret?
    /// A public file in memory, which the child finds at `filePath`.
    package var file: [UInt8]?
    /// Without it stdout is dropped too, so that a child which stays in the background (the clipboard's
    /// owner) keeps nothing of ours open.
    package var keepsOutput = true
    /// The end of a pipe that becomes the child's stdout: the caller reads a short secret from it, and `run` returns
    /// no output.
    package var outputEnd: Int32?
    package var seconds = 10
    package var limit = 1 << 20
    /// Neither the child nor what it starts may make a file longer than that, in bytes.
    package var largestFile: Int?
    /// The child has no terminal to ask on, and what it started ends with it when it is ended early.
    package var leadsSession = false
    /// Once this descriptor can be read, the child gets SIGTERM and two seconds to answer all the same.
    package var stop: Int32?
    /// A signal that would end this program ends the child first.
    package var signals: SignalWatch?

    package init(path: String) {
        self.path = path
    }

    /// Where the child finds `file`.
    package static let filePath = "/proc/self/fd/\(fileNumber)"
    private static let fileNumber: Int32 = 3

    /// Looks a program up in absolute folders of `$PATH`; the current folder never counts.
    package static func find(_ name: String, in environment: Environment) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first {
            unsafe access($0, X_OK) == 0
        }
    }

    /// What is kept of what a child says on stderr, in bytes.
    private static let errorLimit = 1 << 16

    /// Runs it.
    ///
    /// - Returns: its exit status (128 and the signal when one ended it) and what it wrote.
    /// - Throws: `timedOut`, `tooLarge` for more output than the limit, `interrupted` by a signal that is
    ///   watched, `io` when it cannot be started.
    package func run() throws(ProgramError) -> (status: Int32, output: [UInt8]) {
        let end = try run(keepsErrors: false)
        return (end.status, end.output)
    }

    /// The same, with what it said on stderr, of which the first 64 KiB are kept.
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

    /// A file without a name, which nothing changes any more.
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

    /// Starts the child under its limit, which posix_spawn(3) cannot set but passes on: this process has it meanwhile.
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

    /// Feeds and reads in turn, so that neither side waits for the other.
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
        // Where nothing is kept, the other end of the pipe is closed by now.
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
                // A child that wants no more input (it closed its end) may still have something to say.
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

    /// Writes what is left of the input, as much as the pipe takes.
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
            // Without such a descriptor it looks again every two milliseconds.
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
