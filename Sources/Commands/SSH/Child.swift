internal import CLinux
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto

/// A started program that reads a secret from its standard input; it is killed when this object is released.
final class Child {
    private let process: pid_t
    private var status: Int32?
    /// The descriptor to read the program's output from; -1 if the output is discarded.
    private let reading: Int32

    /// Starts the program.
    ///
    /// The input must fit into a pipe, so that writing it never blocks.
    init(
        _ path: String,
        _ arguments: [String],
        _ variables: [String: String],
        input: Secret,
        keepsOutput: Bool = false
    ) throws(ConsoleError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe hsip_pipe(&ends) == 0 else { throw .io(code: errno) }
        defer { close(ends[0]) }
        try Self.fill(ends[1], with: input)
        var output: [Int32] = [-1, -1]
        if keepsOutput, unsafe hsip_pipe(&output) != 0 { throw .io(code: errno) }
        defer { if output[1] >= 0 { close(output[1]) } }
        reading = output[0]
        process = try ChildProcess.start(
            path,
            arguments,
            variables.map { "\($0.key)=\($0.value)" }.sorted(),
            input: ends[0],
            output: keepsOutput ? output[1] : nil
        )
    }

    /// The program's exit status; nil while it runs.
    func ended() -> Int32? {
        if let status { return status }
        var code: Int32 = 0
        guard unsafe waitpid(process, &code, WNOHANG) != 0 else { return nil }
        status = code
        return code
    }

    /// Whether the program ended with success.
    var succeeded: Bool { ended() == 0 }

    /// The program's output, after it has ended; at most as much as fits into a pipe.
    ///
    /// - Throws: `timedOut`.
    func output(seconds: Int) throws(ConsoleError) -> SecretBytes {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ended() == nil {
            guard ContinuousClock.now < deadline else { throw .timedOut(seconds: seconds) }
            usleep(2_000)
        }
        return try OwnFile.allOf(Descriptor(reading))
    }

    /// Writes all of the input and closes the end.
    private static func fill(_ end: Int32, with input: Secret) throws(ConsoleError) {
        defer { close(end) }
        try Descriptor(end).write(input)
    }

    deinit {
        if reading >= 0 { close(reading) }
        guard status == nil else { return }
        _ = kill(process, SIGKILL)
        var code: Int32 = 0
        _ = unsafe waitpid(process, &code, 0)
    }
}
