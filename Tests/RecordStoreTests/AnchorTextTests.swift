import RecordStore
import Support
import Testing
import VaultCrypto

@Suite struct AnchorTextTests {
    private let anchor = AnchorText(
        vaultID: [UInt8](repeating: 0xAB, count: 16),
        position: Position(epoch: 3, generation: 77),
        tag: [UInt8](repeating: 0xCD, count: 16)
    )

    @Test func `an anchor is 128 bytes of text and is read back`() {
        let bytes = anchor.encoded
        #expect(bytes.count == 128 && bytes.last == 0x0A && bytes.dropLast().allSatisfy { $0 >= 0x20 })
        #expect(AnchorText(bytes) == anchor)
        let highest = AnchorText(
            vaultID: anchor.vaultID,
            position: Position(epoch: .max, generation: UInt64(Int64.max)),
            tag: anchor.tag
        )
        #expect(highest.encoded.count == 128 && AnchorText(highest.encoded) == highest)
    }

    @Test(arguments: [UInt64(Int64.max) + 1, .max - 1, .max])
    func `a generation that no vault could go on from is no anchor`(generation: UInt64) {
        let planted = AnchorText(
            vaultID: anchor.vaultID,
            position: Position(epoch: 1, generation: generation),
            tag: anchor.tag
        )
        #expect(AnchorText(planted.encoded) == nil)
    }

    @Test func `an anchor changed in any byte is another anchor or none`() {
        let bytes = anchor.encoded
        for index in bytes.indices {
            for value in [0, 0x0A, 0x20, 0x2B, 0x30, 0x41, 0x61, 0xFF] as [UInt8] where bytes[index] != value
            {
                var changed = bytes
                changed[index] = value
                let read = AnchorText(changed)
                #expect(read == nil || (read != anchor && read?.encoded == changed))
            }
        }
    }

    @Test func `no bytes make an anchor crash`() throws {
        try forAll(
            "any bytes",
            generate: { $0.oneIn(2) ? $0.bytes(128) : $0.bytes($0.number(in: 0...300)) },
            check: { AnchorText($0) == nil }
        )
    }

    @Test func `older is a rollback, as old but other is a fork, newer is welcome`() throws {
        let tag = anchor.tag
        try anchor.check(anchor.position, tag: tag)
        try anchor.check(Position(epoch: 3, generation: 78), tag: [])
        try anchor.check(Position(epoch: 4, generation: 1), tag: [])
        #expect(throws: StoreError.fork) { try anchor.check(anchor.position, tag: []) }
        for older in [Position(epoch: 3, generation: 76), Position(epoch: 2, generation: 99)] {
            #expect(throws: StoreError.rollback(found: older, expected: anchor.position)) {
                try anchor.check(older, tag: tag)
            }
        }
    }
}
