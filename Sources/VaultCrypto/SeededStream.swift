internal import CSodium
internal import Synchronization

/// The stream behind `Entropy.seeded`: request number n is expanded from its own key.
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
        let block = Hash.sha256(seed + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
        unsafe block.withPointer { key, _ in unsafe randombytes_buf_deterministic(target, count, key) }
    }
}
