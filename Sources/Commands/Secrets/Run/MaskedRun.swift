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

/// Blots out values in a stream, also where one comes in pieces.
///
/// It knows the values as they are: one that is printed in another form (base64, cut into lines, escaped) passes.
struct Masker {
    /// Shorter values would blot out half of every text.
    static let shortest = 4
    private static let blot = Array("****".utf8)

    private let secrets: [Secret]
    /// What may be the beginning of a value.
    private var held: [UInt8] = []
    /// Bytes of it that belong to a value that is masked already: the end of one may begin another.
    private var covered = 0

    /// For some values, of which those that are too short are passed over; a final line feed does not count.
    init(_ secrets: [Secret]) throws(CryptoError) {
        var kept: [Secret] = []
        for secret in secrets {
            let count = Self.size(of: secret)
            if count >= Self.shortest { kept.append(Secret(try secret.slice(0..<count))) }
        }
        // Of two that begin alike the longer one counts.
        self.secrets = kept.sorted { $0.count > $1.count }
    }

    /// Whether a value passes, because it is too short; an empty one needs no mask.
    static func passes(_ secret: Secret) -> Bool { (1..<shortest).contains(size(of: secret)) }

    /// Bytes without final line feeds.
    private static func size(of secret: Secret) -> Int {
        var count = secret.count
        while count > 0, secret.withBytes({ [0x0A, 0x0D].contains($0.byte(at: count - 1)) }) { count -= 1 }
        return count
    }

    /// Takes what came, and gives what may be shown.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        held += bytes
        return flush(isEnd: false)
    }

    /// Gives what was held back: nothing more comes.
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
