internal import CSodium
internal import Glibc
internal import Synchronization

/// Locked memory for small secrets, many in one block.
///
/// Separate pages would cost ten system calls for each secret, and much of the limit for locked memory
/// (`RLIMIT_MEMLOCK`). So small secrets share blocks. A block comes from `sodium_malloc`: it has guard pages, is excluded
/// from core dumps and, if the limit allows, from swap. A mark follows each secret. If a write damaged it, the process
/// stops when the secret is freed, as with `sodium_free`.
///
/// Free memory is zero: a secret is wiped when it is freed.
package final class LockedPool: Sendable {
    /// The pool of the process.
    package static let shared = LockedPool()

    /// The size of the largest secret that fits in a block.
    package static let largest = 32 * Block.unit - markSize
    private static let markSize = 16

    private let blocks = Mutex<[Block]>([])
    /// The random mark that follows each secret of this pool.
    private let mark = Entropy.system.bytes(markSize)

    /// The number of blocks.
    package var blockCount: Int { blocks.withLock { $0.count } }

    package init() {}

    deinit {
        blocks.withLock { for block in $0 { block.release() } }
    }

    /// Allocates zero bytes for a secret of at most `largest` bytes; nil if the system has no locked memory left.
    package func take(_ count: Int) -> UnsafeMutableRawPointer? {
        let units = Self.units(count)
        let address: UInt? = blocks.withLock { blocks in
            for index in blocks.indices {
                if let address = blocks[index].take(units) { return address }
            }
            guard var fresh = Block() else { return nil }
            defer { blocks.append(fresh) }
            return fresh.take(units)
        }
        guard let address, let memory = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
            return nil
        }
        unsafe (memory + count).copyMemory(from: mark, byteCount: Self.markSize)
        return unsafe memory
    }

    /// Wipes a secret and frees its memory.
    package func give(back memory: UnsafeMutableRawPointer, _ count: Int) {
        guard unsafe sodium_memcmp(memory + count, mark, Self.markSize) == 0 else { abort() }
        unsafe sodium_memzero(memory, count + Self.markSize)
        let address = UInt(bitPattern: memory)
        blocks.withLock { blocks in
            guard let index = blocks.firstIndex(where: { $0.contains(address) }) else { abort() }
            blocks[index].give(back: address, Self.units(count))
            // One empty block is kept for the next secret.
            guard blocks[index].isEmpty, blocks.indices.contains(where: { $0 != index && blocks[$0].isEmpty })
            else {
                return
            }
            blocks.remove(at: index).release()
        }
    }

    private static func units(_ count: Int) -> Int { (count + markSize + Block.unit - 1) / Block.unit }
}

/// One piece of locked memory, with a record of its units in use.
private struct Block {
    /// The size of a unit, in bytes.
    static let unit = 64
    /// The number of units: with the canary of `sodium_malloc` they fill eight pages of 4 KiB.
    private static let units = 511

    private let base: UInt
    /// A bit for each unit; the last bit is set, because that unit does not exist.
    private var used: [UInt64] = Array(repeating: 0, count: 7) + [1 << 63]

    init?() {
        guard let memory = unsafe sodium_malloc(Self.units * Self.unit) else { return nil }
        unsafe sodium_memzero(memory, Self.units * Self.unit)
        base = UInt(bitPattern: memory)
    }

    func release() { unsafe sodium_free(UnsafeMutableRawPointer(bitPattern: base)) }

    var isEmpty: Bool { used.last == 1 << 63 && used.dropLast().allSatisfy { $0 == 0 } }

    func contains(_ address: UInt) -> Bool {
        address >= base && address - base < UInt(Self.units * Self.unit)
    }

    /// Marks `count` adjacent free units as used, and returns their address.
    mutating func take(_ count: Int) -> UInt? {
        for word in used.indices {
            // A bit remains set if `count` free units begin there.
            var (free, seen) = (~used[word], 1)
            while seen < count, free != 0 {
                let step = min(seen, count - seen)
                free &= free >> step
                seen += step
            }
            guard free != 0 else { continue }
            let first = free.trailingZeroBitCount
            used[word] |= Self.bits(first, count)
            return base + UInt((word * 64 + first) * Self.unit)
        }
        return nil
    }

    mutating func give(back address: UInt, _ count: Int) {
        let first = Int(address - base) / Self.unit
        used[first / 64] &= ~Self.bits(first % 64, count)
    }

    private static func bits(_ first: Int, _ count: Int) -> UInt64 { (1 << count - 1) << first }
}
