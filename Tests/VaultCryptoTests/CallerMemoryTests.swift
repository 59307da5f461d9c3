import Testing
import VaultCrypto

/// Memory in the hands of a caller who cannot hold a secret as this program does.
struct CallerMemoryTests {
    @Test(arguments: [0, 1, 15, 16, 4_095, 4_096, 100_000])
    func `a copy has the bytes, and a zero behind them`(count: Int) throws {
        let bytes = [UInt8].counting(count, from: 1)
        let memory = try unsafe CallerMemory.copy(bytes)
        defer { unsafe CallerMemory.take(back: memory) }
        #expect(unsafe Array(UnsafeBufferPointer(start: memory, count: count)) == bytes)
        #expect(unsafe memory[count] == 0)
    }

    @Test func `a secret is copied out of locked memory, and stays as it was`() throws {
        let secret = try SecretBytes(copying: [7, 0, 9] as [UInt8])
        let memory = try unsafe CallerMemory.copy(secret)
        unsafe memory[0] = 1
        #expect(exposed(secret) == [7, 0, 9])
        unsafe CallerMemory.take(back: memory)
    }

    @Test func `two copies are apart`() throws {
        let one = try unsafe CallerMemory.copy([1] as [UInt8])
        let other = try unsafe CallerMemory.copy([1] as [UInt8])
        unsafe one[0] = 2
        #expect(unsafe other[0] == 1)
        unsafe CallerMemory.take(back: one)
        unsafe CallerMemory.take(back: other)
    }

    @Test func `what was taken back cannot be read any more`() async {
        await #expect(processExitsWith: .failure) {
            let memory = try unsafe CallerMemory.copy([1, 2, 3] as [UInt8])
            unsafe CallerMemory.take(back: memory)
            print(unsafe memory[0])
        }
    }

    @Test func `a byte beyond the end is not readable`() async {
        await #expect(processExitsWith: .failure) {
            let memory = try unsafe CallerMemory.copy([1, 2, 3] as [UInt8])
            print(unsafe memory[4])
        }
    }

    @Test func `a byte written before the beginning ends the process when it is taken back`() async {
        await #expect(processExitsWith: .failure) {
            let memory = try unsafe CallerMemory.copy([1, 2, 3] as [UInt8])
            unsafe memory[-1] ^= 0xFF
            unsafe CallerMemory.take(back: memory)
        }
    }
}
