internal import Console
internal import Glibc
internal import Programs
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
        let process = try program.start(output: streams[0].pipe.writeEnd, error: streams[1].pipe.writeEnd)
        for stream in streams { stream.pipe.closeWriteEnd() }
        var status: Int32?
        while streams.contains(where: \.isOpen) {
            var requests = streams.map {
                pollfd(fd: $0.isOpen ? $0.pipe.readEnd : -1, events: Int16(POLLIN), revents: 0)
            }
            requests.append(pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0))
            let ready = unsafe poll(&requests, nfds_t(requests.count), Self.patience)
            if let signal = signals.caught { pass(signal, to: process) }
            for index in streams.indices where requests[index].revents != 0 { try read(index) }
            if status == nil { status = ended(process, WNOHANG) } else if ready == 0 { break }
        }
        for index in streams.indices where streams[index].isOpen { try finish(index) }
        while status == nil {
            status = ended(process, 0)
            if let signal = signals.caught { pass(signal, to: process) }
        }
        return status ?? 1
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

    /// What the keyboard sends, the program gets by itself, wherever its input comes from.
    private func pass(_ signal: Int32, to process: pid_t) {
        let isKey = signal == SIGINT || signal == SIGQUIT
        if !isKey || !Self.isAtKeyboard { kill(process, signal) }
    }

    /// This process group is the one that a terminal sends the signals of its keys to.
    private static var isAtKeyboard: Bool {
        let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }

    private func ended(_ process: pid_t, _ options: Int32) -> Int32? {
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, options) == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
