internal import Glibc
internal import Synchronization
internal import VaultCrypto

/// The input of a relay: each call of any thread reads the next batch.
final class RelaySource: Sendable {
    /// A batch that was read.
    struct Piece {
        let count: Int
        let isLast: Bool
    }

    private struct State {
        var number: UInt64 = 0
        var count: UInt64 = 0
        /// A byte that was read ahead, to know whether the stream goes on.
        var ahead: UInt8?
        var hasEnded = false
        /// The bytes that were read before the relay began.
        var beginning: Secret?
    }

    private let input: Descriptor
    /// The offset of a regular file when the relay began; a look at its next offset shows whether the file goes on.
    private let start: UInt64?
    private let stopper: Int32?
    private let state: Mutex<State>

    init(_ input: Descriptor, after beginning: Secret?, _ watch: SignalWatch?) {
        self.input = input
        start = beginning == nil ? input.place : nil
        state = Mutex(State(beginning: beginning))
        stopper = watch?.descriptor
    }

    /// The number of bytes that were read.
    var count: UInt64 { state.withLock { $0.count } }

    /// Ends the input: `next` returns nil from now on.
    func stop() { state.withLock { $0.hasEnded = true } }

    /// Reads the next batch, and returns its number; nil after the last one.
    func next(into batch: inout SecretBytes) -> (number: UInt64, Result<Piece, ProgramError>)? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            defer { state.number += 1 }
            do throws(ProgramError) {
                let piece = try read(into: &batch, &state)
                state.hasEnded = piece.isLast
                return (state.number, .success(piece))
            } catch {
                state.hasEnded = true
                return (state.number, .failure(error))
            }
        }
    }

    private func read(into batch: inout SecretBytes, _ state: inout State) throws(ProgramError) -> Piece {
        let size = batch.count
        var filled = 0
        if let byte = state.ahead {
            batch.withMutableBytes { $0.storeBytes(of: byte, as: UInt8.self) }
            filled = 1
        }
        state.ahead = nil
        if let beginning = state.beginning {
            state.beginning = nil
            batch.withMutableBytes { target in
                unsafe target.withUnsafeMutableBytes { target in
                    beginning.withBytes { source in
                        unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
                    }
                }
            }
            filled = beginning.count
            state.count += UInt64(filled)
        }
        while filled < size {
            let got = try batch.withMutableBytes { span throws(ProgramError) in
                try read(into: &span, from: filled)
            }
            guard got > 0 else { break }
            filled += got
            state.count += UInt64(got)
        }
        // When the batch before this one was returned, the stream had more bytes.
        guard filled > 0 || state.number == 0 else { throw .fileChanged }
        guard filled == size else { return Piece(count: filled, isLast: true) }
        if let start { return Piece(count: filled, isLast: try !input.hasMore(at: start + state.count)) }
        var one = [UInt8(0)]
        var span = one.mutableSpan
        var byte = unsafe span.mutableBytes
        guard try read(into: &byte, from: 0) > 0 else { return Piece(count: filled, isLast: true) }
        state.count += 1
        state.ahead = one[0]
        return Piece(count: filled, isLast: false)
    }

    private func read(into span: inout MutableRawSpan, from place: Int) throws(ProgramError) -> Int {
        if let stopper {
            var both = [
                pollfd(fd: input.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopper, events: Int16(POLLIN), revents: 0),
            ]
            while unsafe poll(&both, 2, -1) < 0, errno == EINTR {}
            if both[1].revents != 0 {
                var signal: UInt8 = 0
                guard unsafe Glibc.read(stopper, &signal, 1) == 1 else { throw .io(code: EIO) }
                throw .interrupted(signal: Int32(signal))
            }
        }
        return try input.read(into: &span, from: place)
    }
}
