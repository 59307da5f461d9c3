internal import Dispatch
internal import Synchronization
internal import VaultCrypto

/// The output of a relay: whoever made a batch waits until those before it were written.
final class RelaySink<E: Error>: Sendable {
    private struct State {
        var written: UInt64 = 0
        var failure: RelayError<E>?
    }

    private let output: Descriptor
    /// The turn of batch n is the semaphore n modulo their number; there is one more than batches in work.
    private let turns: [DispatchSemaphore]
    private let state = Mutex(State())

    init(_ output: Descriptor, places: Int) {
        self.output = output
        turns = (0..<places).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
    }

    /// Writes what came of a batch when it is its turn.
    ///
    /// - Returns: false once anything failed; nothing is written from then on.
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
            do throws(ProgramError) {
                try output.write(bytes, count: count)
            } catch {
                throw .stream(error)
            }
            state.withLock { $0.written += UInt64(count) }
            return true
        } catch {
            state.withLock { $0.failure = error }
            return false
        }
    }

    /// How much went through.
    ///
    /// - Throws: what failed first, in the order of the stream.
    func count(read: UInt64) throws(RelayError<E>) -> Relay.Count {
        let (written, failure) = state.withLock { ($0.written, $0.failure) }
        if let failure { throw failure }
        return Relay.Count(read: read, written: written)
    }
}
