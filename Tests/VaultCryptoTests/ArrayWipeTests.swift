import Testing
import VaultCrypto

struct ArrayWipeTests {
    @Test(arguments: [0, 1, 100])
    func `a wiped array is zero and keeps its count`(count: Int) {
        var bytes = [UInt8].counting(count, from: 1)
        bytes.wipe()
        #expect(bytes == [UInt8](repeating: 0, count: count))
    }

    @Test func `wiping reaches the memory itself`() {
        var bytes: [UInt8] = [1, 2, 3]
        let before = unsafe bytes.withUnsafeMutableBytes { $0.baseAddress }
        bytes.wipe()
        let after = unsafe bytes.withUnsafeMutableBytes { $0.baseAddress }
        #expect(unsafe before == after)
    }
}
