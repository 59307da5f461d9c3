import Testing

@testable import AgentKit

@Suite struct ReceivingRoomTests {
    @Test func `no more is taken than there is, and what is let go of is there again`() {
        let room = ReceivingRoom(lockable: 8 << 20)
        var first = room.share(3 << 20)
        #expect(first != nil && room.inUse == 3 << 20)
        #expect(room.share(2 << 20) == nil)
        let second = room.share(1 << 20)
        #expect(second != nil)
        first = nil
        #expect(room.inUse == 1 << 20)
        #expect(room.share(3 << 20) != nil)
    }

    @Test func `half of what may be locked stays for keys`() {
        let limits: [Int: Int] = [
            0: 2_097_152, 65_536: 2_097_152, 8_388_608: 4_194_304, 1_073_741_824: 16_777_216,
        ]
        for (lockable, limit) in limits {
            let room = ReceivingRoom(lockable: lockable)
            #expect(room.share(limit + 1) == nil)
            #expect(room.share(limit) != nil)
        }
        #expect(ReceivingRoom().share(ReceivingRoom.most) != nil)
    }
}
