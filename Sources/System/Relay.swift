internal import Dispatch
internal import Glibc
internal import Synchronization
package import VaultCrypto

/// Reads a stream in batches of one size, lets several threads work on them, and writes what they made in order.
///
/// Memory does not grow with the stream: every thread has room for one batch. What one batch is refused for ends
/// the whole; everything before it has been written, nothing after it is.
package struct Relay {
    /// Where it comes from.
    let input: Descriptor
    /// Where it goes.
    let output: Output
    /// Bytes of a batch; only the last one has fewer, and only that of an empty stream has none.
    let batchSize: Int
    /// Bytes that come of a batch at most.
    let roomSize: Int
    /// What was read of the input before: comes first, and has at most the size of a batch.
    let beginning: Secret?
    /// Given up at a signal, where one is watched for.
    var watch: SignalWatch?

    /// Where batches go, one after the other.
    package enum Output: Sendable {
        case descriptor(Descriptor)
        /// A part of the program; the bytes are valid during the call.
        case reader(@Sendable (RawSpan) -> Void)
    }

    /// How much went through.
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

    /// A relay whose results stay in the program.
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

    /// Relays all of it.
    ///
    /// - Parameters:
    ///   - threads: How many work on batches.
    ///   - work: One batch: its number from 0, its bytes, whether it is the last, and where to write; returns
    ///     how much of that room was used.
    /// - Returns: How many bytes were read and how many written.
    /// - Throws: What `work` refuses; errors of the streams; `interrupted`; `outOfMemory`.
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

    /// As many as the machine has cores, four at most: reading and writing do not get faster.
    package static var threads: Int { min(4, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// A place for one thread.
    private final class WorkerBuffers: Sendable {
        let memory: Mutex<Memory>

        init(_ memory: consuming sending Memory) {
            self.memory = Mutex(memory)
        }
    }

    /// What one thread works with.
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
