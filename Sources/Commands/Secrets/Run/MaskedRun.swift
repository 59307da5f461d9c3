internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto

/// A program beside this one, whose output goes through a mask.
final class MaskedRun {
    /// How long output is still waited for once the program has ended, in milliseconds: what it left behind may hold
    /// the pipes open for ever.
    private static let patience: Int32 = 200

    private let program: StartedProgram
    private var streams: [Stream] = []

    private struct Stream {
        let pipe: Pipe
        let target: Descriptor
        var masker: Masker
        var isOpen = true
    }

    /// For a program and the values to hide.
    init(_ program: StartedProgram, hiding secrets: [Secret]) throws {
        self.program = program
        for target in [Descriptor.output, .error] {
            streams.append(Stream(pipe: try Pipe(), target: target, masker: try Masker(secrets)))
        }
    }

    /// Runs it to its end; signals that come are passed on.
    ///
    /// - Returns: its exit code, or 128 and the signal that ended it.
    func run() throws -> Int32 {
        let signals = try SignalWatch()
        defer { signals.stop() }
        let process = RunningProgram(
            number: try program.start(output: streams[0].pipe.writeEnd, error: streams[1].pipe.writeEnd)
        )
        for stream in streams { stream.pipe.closeWriteEnd() }
        var status: Int32?
        while streams.contains(where: \.isOpen) {
            var requests = streams.map {
                pollfd(fd: $0.isOpen ? $0.pipe.readEnd : -1, events: Int16(POLLIN), revents: 0)
            }
            requests.append(pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0))
            let ready = unsafe poll(&requests, nfds_t(requests.count), Self.patience)
            if let signal = signals.caught { process.pass(signal) }
            for index in streams.indices where requests[index].revents != 0 { try read(index) }
            if status == nil { status = process.status(WNOHANG) } else if ready == 0 { break }
        }
        for index in streams.indices where streams[index].isOpen { try finish(index) }
        return status ?? process.end(passing: signals)
    }

    private func read(_ index: Int) throws {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        defer { chunk.wipe() }
        let count = unsafe Glibc.read(streams[index].pipe.readEnd, &chunk, chunk.count)
        if count < 0, errno == EINTR { return }
        guard count > 0 else { return try finish(index) }
        try show(streams[index].masker.take(chunk[..<count]), index)
    }

    private func finish(_ index: Int) throws {
        streams[index].isOpen = false
        try show(streams[index].masker.end(), index)
        streams[index].pipe.close()
    }

    /// When the reader has ended, the program learns it as it would without hsip: by a closed pipe.
    private func show(_ bytes: [UInt8], _ index: Int) throws {
        do throws(ProgramError) {
            try streams[index].target.write(bytes)
        } catch .closedPipe {
            streams[index].isOpen = false
            streams[index].pipe.close()
        }
    }
}
