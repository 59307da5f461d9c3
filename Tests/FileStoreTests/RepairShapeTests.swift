import RecordStore
import Support
import Testing
import VaultCrypto

@testable import FileStore

/// Bytes that nearly have the shapes of rows: what is read of them lies within them, and is what stands there.
@Suite struct RepairShapeTests {
    private static let parts: [[UInt8]] = [
        RecordShape.mark, HeadShape.mark, SlotShape.marks[0], SlotShape.marks[1],
        [8, 0, 1, 0x0C, 0x4C, 0x81, 0x1C, 0x14], [6, 0, 0x2C, 1, 0xA1, 0x4E],
        [7] + RecordShape.mark + [0x0E, 0x9F, 0x2C], [0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x81, 0x00], [0x75],
    ]

    /// Whole rows, each with the byte in front of what is searched for that belongs to it.
    private static let wholes: [[UInt8]] = [
        [116, 3, 8, 0, 1, 0x0C, 0x4C, 0x81, 0x1C, 0x12, 5] + [UInt8](repeating: 8, count: 32 + 72 + 3),
        [6, 0, 0x2C, 1, 0xA1, 0x4E] + [UInt8](repeating: 9, count: 16) + [2]
            + [UInt8](repeating: 9, count: 2_145),
        [6] + RecordShape.mark + [0x20, 0x30] + [UInt8](repeating: 4, count: 96 + 10 + 18),
    ]

    /// Parts of rows and whole ones, cut and changed, between bytes at random.
    private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<generator.number(in: 1...6) {
            if generator.oneIn(2) { bytes += generator.bytes(generator.number(in: 0...40)) }
            let choices = generator.oneIn(3) ? wholes : parts
            var part = choices[generator.number(in: 0...choices.count - 1)]
            if generator.oneIn(4) { part[generator.number(in: 0...part.count - 1)] = generator.bytes(1)[0] }
            bytes += generator.oneIn(6) ? Array(part.dropLast()) : part
        }
        return bytes
    }

    @Test(arguments: 0..<4)
    func `shapes of bytes at random are read within their bounds`(part: UInt64) {
        var generator = SeededGenerator(seed: 12_000 + part)
        var found = (rows: 0, slots: 0, heads: 0)
        for round in 0..<60 {
            // A mark is never at the very end.
            let bytes = Self.bytes(&generator) + [0, 0, 0]
            for place in -2...bytes.count + 2 {
                let seen = bytes.withBytes { span in
                    (
                        RecordShape(span, at: place),
                        (0...bytes.count - 3).contains(place) ? SlotShape.slot(span, at: place) : nil,
                        (0...bytes.count - 2).contains(place) ? HeadShape.head(span, at: place) : nil
                    )
                }
                if let shape = seen.0 {
                    found.rows += 1
                    let isSound =
                        (6...RecordShape.longestHeader).contains(shape.header)
                        && (min(shape.payload, 489)...1_002).contains(shape.local)
                        && shape.local <= shape.payload && bytes[place] == UInt8(shape.header)
                    #expect(isSound, "part \(part), round \(round), place \(place)")
                }
                if let slot = seen.1 {
                    found.slots += 1
                    #expect(slot.number > 0 && [72, 104].contains(slot.sealed.count))
                    #expect(slot.proof.count == 32)
                    #expect(bytes.firstRange(of: slot.params + slot.proof + slot.sealed + slot.note) != nil)
                }
                if let head = seen.2 {
                    found.heads += 1
                    #expect(head.vaultID.count == 16)
                    #expect(bytes.firstRange(of: head.vaultID) != nil)
                }
            }
        }
        // Some have a shape.
        #expect(found.rows > 0 && found.slots > 0 && found.heads > 0)
    }
}
