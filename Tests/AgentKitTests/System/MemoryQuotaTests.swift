import Testing

@testable import AgentKit

@Suite struct MemoryQuotaTests {
    @Test func `no more is taken than there is, and what is let go of is there again`() {
        let quota = MemoryQuota(lockable: 8 << 20)
        var first = quota.share(3 << 20)
        #expect(first != nil && quota.inUse == 3 << 20)
        #expect(quota.share(2 << 20) == nil)
        let second = quota.share(1 << 20)
        #expect(second != nil)
        first = nil
        #expect(quota.inUse == 1 << 20)
        #expect(quota.share(3 << 20) != nil)
    }

    @Test func `half of what may be locked stays for keys`() {
        let limits: [Int: Int] = [
            0: 2_097_152, 65_536: 2_097_152, 8_388_608: 4_194_304, 1_073_741_824: 16_777_216,
        ]
        for (lockable, limit) in limits {
            let quota = MemoryQuota(lockable: lockable)
            #expect(quota.share(limit + 1) == nil)
            #expect(quota.share(limit) != nil)
        }
        #expect(MemoryQuota().share(MemoryQuota.maximum) != nil)
    }
}
