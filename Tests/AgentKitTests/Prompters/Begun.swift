@testable import AgentKit

/// Something that runs on a thread of its own from the moment it is made, anyone who else is at work.
///
/// A task begins when one of Swift's few threads is free, which in a whole test run is late.
final class Begun<T: Sendable>: Sendable {
    private let ends: AsyncStream<Result<T, any Error>>

    init(_ body: @escaping @Sendable () throws -> T) throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Result<T, any Error>.self)
        ends = stream
        try OwnThread.start("test") {
            continuation.yield(Result { try body() })
            continuation.finish()
        }
    }

    /// How it ended; asked for once.
    var value: T {
        get async throws {
            for await end in ends { return try end.get() }
            throw CancellationError()
        }
    }
}
