import Testing
import VaultCrypto

struct LockedPoolTests {
    @Test func `secrets of every size lie side by side and keep what is theirs`() throws {
        let pool = LockedPool()
        let sizes = Array(0...LockedPool.largest).shuffled()
        let places = try sizes.map { size in
            let memory = try unsafe #require(pool.take(size))
            for index in 0..<size {
                unsafe memory.storeBytes(
                    of: UInt8(truncatingIfNeeded: size),
                    toByteOffset: index,
                    as: UInt8.self
                )
            }
            return UInt(bitPattern: memory)
        }
        for (size, place) in zip(sizes, places) {
            let memory = try unsafe #require(UnsafeMutableRawPointer(bitPattern: place))
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: memory, count: size))
            #expect(bytes == [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size))
            unsafe pool.give(back: memory, size)
        }
        #expect(pool.blockCount == 1)
    }

    @Test(arguments: [0, 1, 47, 48, 49, 2_032])
    func `a secret that is gone has left zeros`(size: Int) throws {
        let pool = LockedPool()
        let memory = try unsafe #require(pool.take(size))
        for index in 0..<size { unsafe memory.storeBytes(of: 0x5A, toByteOffset: index, as: UInt8.self) }
        unsafe pool.give(back: memory, size)
        // The block is still there, so its bytes can be looked at: the secret's, and the mark behind it.
        #expect(unsafe UnsafeRawBufferPointer(start: memory, count: size + 16).allSatisfy { $0 == 0 })
        #expect(unsafe pool.take(size) == memory)
    }

    @Test func `small secrets share a block, which stays for the next ones`() throws {
        let pool = LockedPool()
        let places = (0..<400).map { _ in unsafe UInt(bitPattern: pool.take(32)) }
        #expect(pool.blockCount == 1)
        #expect(Set(places).count == 400)
        for place in places {
            unsafe pool.give(back: try #require(UnsafeMutableRawPointer(bitPattern: place)), 32)
        }
        #expect(pool.blockCount == 1)
    }

    @Test func `a block that nothing needs goes back to the system`() throws {
        let pool = LockedPool()
        let places = (0..<2_000).map { _ in unsafe UInt(bitPattern: pool.take(48)) }
        #expect(pool.blockCount == 4)
        for place in places {
            unsafe pool.give(back: try #require(UnsafeMutableRawPointer(bitPattern: place)), 48)
        }
        #expect(pool.blockCount == 1)
    }

    @Test(arguments: [32, 48, 2_032])
    func `a write beyond a secret stops the process when it is given back`(size: Int) async {
        await #expect(processExitsWith: .failure) { [size] in
            let pool = LockedPool()
            guard let memory = unsafe pool.take(size) else { return }
            let behind = unsafe memory.load(fromByteOffset: size, as: UInt8.self)
            unsafe memory.storeBytes(of: ~behind, toByteOffset: size, as: UInt8.self)
            unsafe pool.give(back: memory, size)
        }
    }

    @Test func `many threads take and give back at once`() async throws {
        let pool = LockedPool()
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<2_000 {
                        let size = (task * 31 + round * 7) % 300
                        guard let memory = unsafe pool.take(size) else { Issue.record("no memory"); return }
                        #expect(
                            unsafe UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 0 }
                        )
                        for index in 0..<size {
                            unsafe memory.storeBytes(of: UInt8(task), toByteOffset: index, as: UInt8.self)
                        }
                        #expect(
                            unsafe UnsafeRawBufferPointer(start: memory, count: size).allSatisfy {
                                $0 == task
                            }
                        )
                        unsafe pool.give(back: memory, size)
                    }
                }
            }
        }
        #expect(pool.blockCount <= 8)
    }
}
