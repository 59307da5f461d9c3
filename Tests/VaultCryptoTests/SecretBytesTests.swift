import Testing
import VaultCrypto

struct SecretBytesTests {
    @Test(arguments: [0, 1, 32, 4096, 5000])
    func `fresh memory is zero`(count: Int) throws {
        let bytes = try SecretBytes(count: count)
        #expect(bytes.count == count)
        #expect(exposed(bytes) == [UInt8](repeating: 0, count: count))
    }

    @Test func `a negative count is refused`() {
        #expect(throws: CryptoError.outOfMemory) { _ = try SecretBytes(count: -1) }
    }

    @Test func `a copy is a copy`() throws {
        var source: [UInt8] = [1, 2, 3]
        let bytes = try SecretBytes(copying: source)
        source.wipe()
        #expect(exposed(bytes) == [1, 2, 3])
        #expect(source == [0, 0, 0])
    }

    @Test func `what the writer leaves untouched is zero`() throws {
        let bytes = try SecretBytes(count: 3) { $0.storeBytes(of: 7, toByteOffset: 1, as: UInt8.self) }
        #expect(exposed(bytes) == [0, 7, 0])
    }

    @Test func `a writer may refuse`() {
        #expect(throws: CryptoError.checkFailed) {
            _ = try SecretBytes(count: 3) { _ throws(CryptoError) in throw .checkFailed }
        }
    }

    @Test func `bytes can be changed in place`() throws {
        var bytes = try SecretBytes(copying: [1, 2, 3] as [UInt8])
        bytes.withMutableBytes { $0.storeBytes(of: 9, toByteOffset: 0, as: UInt8.self) }
        #expect(exposed(bytes) == [9, 2, 3])
    }

    @Test(arguments: [(0, 0), (0, 3), (3, 0), (32, 32)])
    func `two secrets are joined in order`(first: Int, second: Int) throws {
        let joined = try SecretBytes.joined(
            try SecretBytes(copying: [UInt8].counting(first)),
            [UInt8].counting(second, from: first)
        )
        #expect(exposed(joined) == .counting(first + second))
    }

    @Test(arguments: [0..<0, 0..<10, 3..<7, 10..<10])
    func `a slice is a copy of a part`(range: Range<Int>) throws {
        let whole = try SecretBytes(copying: [UInt8].counting(10))
        #expect(exposed(try whole.slice(range)) == .counting(range.count, from: range.lowerBound))
    }

    @Test(arguments: [0..<11, 10..<11, 11..<11, -1..<3])
    func `a slice beyond the bytes is refused`(range: Range<Int>) throws {
        let whole = try SecretBytes(copying: [UInt8].counting(10))
        do throws(CryptoError) {
            _ = try whole.slice(range)
            Issue.record("a slice of what is not there")
        } catch {
            #expect(error == .wrongSize(expected: range.upperBound, found: 10))
        }
    }

    @Test func `memory of a large secret that is gone cannot be read`() async {
        await #expect(processExitsWith: .failure) {
            var address: UnsafeRawPointer?
            do {
                let secret = try SecretBytes(count: LockedPool.largest + 1)
                secret.withBytes { span in
                    unsafe address = span.withUnsafeBytes { $0.baseAddress }
                }
            }
            // libsodium has wiped and unmapped the page, so this read stops the process.
            let byte = unsafe address?.load(as: UInt8.self)
            withExtendedLifetime(byte) {}
        }
    }
}
