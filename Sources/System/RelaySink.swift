internal import CLinux
internal import Dispatch
internal import Synchronization
internal import VaultCrypto

/// The output of a relay: a thread with a finished batch waits until the batches before it were written.
final class RelaySink<E: Error>: Sendable {
    private struct State {
        var written: UInt64 = 0
        /// The offset up to which the kernel was asked to start writing to the disk.
        var handedOver: UInt64 = 0
        var failure: RelayError<E>?
    }

    private let output: Relay.Output
    /// One semaphore more than batches in work; batch n waits for the semaphore n modulo their number.
    private let turns: [DispatchSemaphore]
    private let state = Mutex(State())

    init(_ output: Relay.Output, places: Int) {
        self.output = output
        turns = (0..<places).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
    }

    /// Waits until the batches before this one were written, then writes its result.
    ///
    /// - Returns: False after any failure; nothing is written from then on.
    func take(
        _ number: UInt64,
        _ made: Result<Int, RelayError<E>>,
        _ bytes: borrowing SecretBytes
    ) -> Bool {
        let places = UInt64(turns.count)
        turns[Int(number % places)].wait()
        defer { turns[Int((number + 1) % places)].signal() }
        guard state.withLock({ $0.failure == nil }) else { return false }
        do throws(RelayError<E>) {
            let count = try made.get()
            switch output {
            case .descriptor(let descriptor):
                do throws(ProgramError) {
                    try descriptor.write(bytes, count: count)
                } catch {
                    throw .stream(error)
                }
                tell(count, descriptor)
            case .reader(let read): bytes.withBytes { read($0.extracting(0..<count)) }
            }
            return true
        } catch {
            state.withLock { $0.failure = error }
            return false
        }
    }

    /// Asks the kernel to start writing new bytes to the disk, so that little remains when the last byte is written.
    private func tell(_ count: Int, _ output: Descriptor) {
        state.withLock { state in
            state.written += UInt64(count)
            guard state.written - state.handedOver >= Self.step else { return }
            // If the output is not a file, this fails without an effect.
            hsip_begin_writing_back(
                output.number,
                Int64(state.handedOver),
                Int64(state.written - state.handedOver)
            )
            state.handedOver = state.written
        }
    }

    private static var step: UInt64 { 8 << 20 }

    /// The bytes that were read and written.
    ///
    /// - Throws: The first failure, in the order of the stream.
    func count(read: UInt64) throws(RelayError<E>) -> Relay.Count {
        let (written, failure) = state.withLock { ($0.written, $0.failure) }
        if let failure { throw failure }
        return Relay.Count(read: read, written: written)
    }
}

/// Why a stream was not relayed to its end.
package enum RelayError<E: Error>: Error {
    /// Reading or writing failed.
    case stream(ProgramError)
    /// A batch was refused.
    case work(E)
}
