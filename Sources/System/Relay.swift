internal import Dispatch
internal import Glibc
internal import Synchronization
package import VaultCrypto

/// Reads a stream in batches of one size, lets several threads work on them, and writes the results in order.
///
/// Memory does not grow with the stream: every thread has room for one batch. If a batch fails, the relay ends:
/// everything before that batch has been written, and nothing after it is.
package struct Relay {
    /// The stream that is read.
    let input: Descriptor
    /// The destination of the results.
    let output: Output
    /// The number of bytes in a batch.
    ///
    /// Only the last batch can be shorter, and only the single batch of an empty stream has 0 bytes.
    let batchSize: Int
    /// The most bytes that the result of one batch can have.
    let roomSize: Int
    /// Bytes that were read from the input before, at most one batch; they come first.
    let beginning: Secret?
    /// The watch for signals, which end the relay; nil if signals are not watched.
    var watch: SignalWatch?

    /// The destination of the results, which arrive in order.
    package enum Output: Sendable {
        case descriptor(Descriptor)
        /// A function of the program; the bytes are valid during the call.
        case reader(@Sendable (RawSpan) -> Void)
    }

    /// The bytes that were read and written.
    package struct Count: Equatable, Sendable {
        package var read: UInt64 = 0
        package var written: UInt64 = 0
    }

    package init(
        from input: Descriptor,
        to output: Descriptor,
        after beginning: Secret? = nil,
        batchSize: Int,
        roomSize: Int,
        watch: SignalWatch? = nil
    ) {
        self.input = input
        self.beginning = beginning
        self.output = .descriptor(output)
        self.batchSize = batchSize
        self.roomSize = roomSize
        self.watch = watch
    }

    /// Makes a relay whose results go to a function of the program.
    package init(
        from input: Descriptor,
        batchSize: Int,
        roomSize: Int,
        to reader: @escaping @Sendable (RawSpan) -> Void
    ) {
        self.input = input
        beginning = nil
        output = .reader(reader)
        self.batchSize = batchSize
        self.roomSize = roomSize
    }

    /// Relays the whole stream.
    ///
    /// - Parameters:
    ///   - threads: The number of threads that work on batches.
    ///   - work: Processes one batch: its number from 0, its bytes, whether it is the last, and the room for the result.
    ///     It returns how many bytes of that room it used.
    /// - Returns: The bytes that were read and written.
    /// - Throws: The error of `work`; errors of the streams; `interrupted`; `outOfMemory`.
    package func run<E: Error>(
        threads: Int = Relay.threads,
        _ work: @Sendable (UInt64, RawSpan, Bool, inout MutableRawSpan) throws(E) -> Int
    ) throws(RelayError<E>) -> Count {
        var buffers: [WorkerBuffers] = []
        do throws(ProgramError) {
            for _ in 0..<threads { buffers.append(WorkerBuffers(try .make(batchSize, roomSize))) }
        } catch {
            throw .stream(error)
        }
        let places = buffers
        let source = RelaySource(input, after: beginning, watch)
        let sink = RelaySink<E>(output, places: threads + 1)
        DispatchQueue.concurrentPerform(iterations: threads) { index in
            places[index].memory.withLock { $0.work(source, sink, work) }
        }
        return try sink.count(read: source.count)
    }

    /// The number of the machine's cores, but 2 to 4: more threads do not make reading and writing faster.
    package static var threads: Int { min(4, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The buffers of one thread.
    private final class WorkerBuffers: Sendable {
        let memory: Mutex<Memory>

        init(_ memory: consuming sending Memory) {
            self.memory = Mutex(memory)
        }
    }

    /// The memory of one thread: a batch and its result.
    private struct Memory: ~Copyable {
        var batch: SecretBytes
        var result: SecretBytes

        static func make(_ batchSize: Int, _ roomSize: Int) throws(ProgramError) -> sending Memory {
            let batch = try SecretBuffer.memory(batchSize)
            let result = try SecretBuffer.memory(roomSize)
            return Memory(batch: batch, result: result)
        }

        mutating func work<E: Error>(
            _ source: RelaySource,
            _ sink: RelaySink<E>,
            _ body: (UInt64, RawSpan, Bool, inout MutableRawSpan) throws(E) -> Int
        ) {
            while let (number, got) = source.next(into: &batch) {
                let made: Result<Int, RelayError<E>>
                switch got {
                case .failure(let error): made = .failure(.stream(error))
                case .success(let piece):
                    do throws(E) {
                        made = .success(try make(number, piece, body))
                    } catch {
                        made = .failure(.work(error))
                    }
                }
                if !sink.take(number, made, result) { source.stop() }
            }
        }

        private mutating func make<E: Error>(
            _ number: UInt64,
            _ piece: RelaySource.Piece,
            _ body: (UInt64, RawSpan, Bool, inout MutableRawSpan) throws(E) -> Int
        ) throws(E) -> Int {
            try batch.withBytes { bytes throws(E) in
                try result.withMutableBytes { room throws(E) in
                    try body(number, bytes.extracting(0..<piece.count), piece.isLast, &room)
                }
            }
        }
    }
}
