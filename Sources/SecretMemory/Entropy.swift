internal import CSodium
internal import Synchronization

/// Randomness as a value: code that needs random bytes receives it, so a test can pass its own.
public struct Entropy: Sendable {
    private enum Source {
        case system
        case seeded(SeededStream)
        case given(@Sendable (Int) -> [UInt8])
    }

    private let source: Source

    /// The generator of the operating system (`randombytes_buf`), and the only one for real keys.
    public static var system: Entropy { Entropy(source: .system) }

    /// A stream that depends only on the seed, for tests: anyone who knows the seed knows every key.
    ///
    /// Copies of the value share one stream.
    public static func seeded(_ seed: [UInt8]) -> Entropy {
        Entropy(source: .seeded(SeededStream(seed)))
    }

    /// Bytes that a test supplies for each request, as published test vectors need.
    package init(fill: @escaping @Sendable (Int) -> [UInt8]) {
        source = .given(fill)
    }

    private init(source: Source) {
        self.source = source
    }

    /// `count` random bytes that are not secret: nonces, salts, identifiers.
    public func bytes(_ count: Int) -> [UInt8] {
        Sodium.mustBeReady()
        precondition(count >= 0, "a count of bytes")
        return unsafe Array(count: count) { buffer in
            unsafe fill(buffer, count)
        }
    }

    /// `count` random bytes in locked memory, for keys.
    ///
    /// - Throws: `CryptoError.outOfMemory` when the system has no locked memory left.
    public func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
        try Sodium.ready()
        var bytes = try SecretBytes(count: count)
        unsafe bytes.withMutablePointer { target, count in unsafe fill(target, count) }
        return bytes
    }

    private func fill(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
        guard count > 0 else { return }
        switch source {
        case .system: unsafe randombytes_buf(target, count)
        case .seeded(let stream): unsafe stream.fill(target, count)
        case .given(let fill):
            let bytes = fill(count)
            precondition(bytes.count == count, "as many bytes as asked for")
            for index in bytes.indices { unsafe target[index] = bytes[index] }
        }
    }
}

/// The stream of `Entropy.seeded`: each request is expanded from a key of its own.
final class SeededStream: Sendable {
    private let seed: [UInt8]
    private let requests = Mutex<UInt64>(0)

    init(_ seed: [UInt8]) {
        self.seed = seed
    }

    func fill(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let number = requests.withLock { number in
            number += 1
            return number
        }
        let input = seed + number.bigEndianBytes
        let key = unsafe Array(count: 32) { _ = unsafe crypto_hash_sha256($0, input, UInt64(input.count)) }
        unsafe randombytes_buf_deterministic(target, count, key)
    }
}
