internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto

/// Runs a program beside this one, and masks values in its output.
final class MaskedRun {
    /// How long to wait for output after the program has ended, in milliseconds.
    ///
    /// Processes that it left behind may hold the pipes open for ever.
    private static let patience: Int32 = 200

    private let program: StartedProgram
    private var streams: [Stream] = []

    private struct Stream {
        let pipe: Pipe
        let target: Descriptor
        var masker: Masker
        var isOpen = true
    }

    /// Prepares the run of a program, with the values to hide.
    init(_ program: StartedProgram, hiding secrets: [Secret]) throws {
        self.program = program
        for target in [Descriptor.output, .error] {
            streams.append(Stream(pipe: try Pipe(), target: target, masker: try Masker(secrets)))
        }
    }

    /// Runs the program to its end, and passes signals on to it.
    ///
    /// - Returns: The program's exit code, or 128 plus the signal that ended it.
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

    /// Writes output; if the reader has ended, closes the program's pipe, as would happen without hsip.
    private func show(_ bytes: [UInt8], _ index: Int) throws {
        do throws(ProgramError) {
            try streams[index].target.write(bytes)
        } catch .closedPipe {
            streams[index].isOpen = false
            streams[index].pipe.close()
        }
    }
}

/// Masks values in a stream, even if a value comes in pieces.
///
/// Only the exact bytes are masked: a value in another form (base64, cut into lines, escaped) is shown.
struct Masker {
    /// The fewest bytes of a masked value: shorter values would mask half of every text.
    static let shortest = 4
    private static let blot = Array("****".utf8)

    private let secrets: [Secret]
    /// Bytes that may be the beginning of a value.
    private var held: [UInt8] = []
    /// The number of `held` bytes that belong to a masked value already: its end may begin another value.
    private var covered = 0

    /// Makes a mask for some values; ignores their final line breaks, and skips values that are too short.
    init(_ secrets: [Secret]) throws(CryptoError) {
        var kept: [Secret] = []
        for secret in secrets {
            let count = Self.size(of: secret)
            if count >= Self.shortest { kept.append(Secret(try secret.slice(0..<count))) }
        }
        // If two values begin alike, the longer one is tried first.
        self.secrets = kept.sorted { $0.count > $1.count }
    }

    /// Whether a value is shown because it is too short to mask; an empty value does not need a mask.
    static func passes(_ secret: Secret) -> Bool { (1..<shortest).contains(size(of: secret)) }

    /// The number of bytes without final line breaks.
    private static func size(of secret: Secret) -> Int {
        var count = secret.count
        while count > 0, secret.withBytes({ [0x0A, 0x0D].contains($0.byte(at: count - 1)) }) { count -= 1 }
        return count
    }

    /// Accepts output, and returns the bytes that may be shown by now.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        held += bytes
        return flush(isEnd: false)
    }

    /// Returns the bytes that were held back, at the end of the output.
    mutating func end() -> [UInt8] { flush(isEnd: true) }

    private mutating func flush(isEnd: Bool) -> [UInt8] {
        var shown: [UInt8] = []
        var place = 0
        scanning: while place < held.count {
            for secret in secrets {
                let there = min(secret.count, held.count - place)
                guard begins(secret, at: place, there) else { continue }
                guard there == secret.count else {
                    if isEnd { continue }
                    break scanning
                }
                if place >= covered { shown += Self.blot }
                covered = max(covered, place + there)
                break
            }
            if place >= covered { shown.append(held[place]) }
            place += 1
        }
        covered = max(0, covered - place)
        let rest = Array(held[place...])
        held.wipe()
        held = rest
        return shown
    }

    private func begins(_ secret: Secret, at place: Int, _ count: Int) -> Bool {
        secret.withBytes { span in (0..<count).allSatisfy { span.byte(at: $0) == held[place + $0] } }
    }
}
