import Foundation
import Glibc
import RecordStore
import Support
import Testing
import VaultCrypto

@testable import FileStore

/// Files that someone made to cost a repair time and memory.
@Suite struct RepairLimitTests {
    private let scratch: StoreScratch
    private var path: String { scratch.path + "/file" }

    init() throws {
        scratch = try StoreScratch()
    }

    /// A row of so many bytes of meta and body whose rest is page 2, which is followed by itself.
    private static func row(id: UInt8, seal: [UInt8], meta: Int, body: Int) -> [UInt8] {
        let types = [meta, body].flatMap { number($0 * 2 + 12) }
        let header = [UInt8(4 + types.count)] + RecordShape.mark + types
        let shape = header.withBytes { RecordShape($0, at: 0) }
        let start = header + [UInt8](repeating: id, count: 16) + seal
        let rest = [UInt8](repeating: 0x5A, count: (shape?.local ?? 0) - start.count)
        return start + rest + [0, 0, 0, 2]
    }

    /// A number of variable length.
    private static func number(_ value: Int) -> [UInt8] {
        let parts = (0..<SQLiteNumber.size(of: value)).map { UInt8(value >> (7 * $0) & 0x7F) }
        return [UInt8](parts.dropFirst().reversed()).map { $0 | 0x80 } + [parts[0]]
    }

    /// Reads every place of a file, and says how much of that was in vain.
    private func read(_ rows: [[UInt8]]) throws -> (inVain: Int, limit: Int, isCutShort: Bool) {
        var bytes = [UInt8](repeating: 0, count: 8_192)
        bytes[4_099] = 2
        try Data(bytes + rows.joined()).write(to: URL(fileURLWithPath: path))
        let images = PageImages(file: try BlockSource(path), log: nil)
        let carved = try Carver(images)
        #expect(carved.places.count == rows.count)
        let keys = try VaultKeys(vaultKey: SecretBytes(copying: ScratchVault.vaultKey))
        var finder = RowFinder(images: images, appraisal: try RowAppraisal(keys: keys))
        for lane in 0..<HeadContent.laneCount {
            var found = LaneSalvage()
            for place in carved.places[lane] {
                if let row = try finder.find(at: place, besides: found) { found.add(row) }
            }
        }
        return (finder.inVain, RowFinder.limit(images.size), finder.isCutShort)
    }

    @Test func `one damaged row in many images is read a few times`() throws {
        let seal = [UInt8](repeating: 1, count: 80)
        let (inVain, _, isCutShort) = try read(
            (0..<2_000).map { _ in Self.row(id: 7, seal: seal, meta: 128 << 10, body: 1 << 20) }
        )
        // The meta does not open, so no body is read.
        #expect(inVain > 12 << 20 && inVain < 14 << 20)
        #expect(!isCutShort)
    }

    @Test func `rows that only look like rows are read up to a limit, and it is told`() throws {
        let (inVain, limit, isCutShort) = try read(
            (0..<2_600).map { number in
                let seal = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 1, count: 78)
                return Self.row(id: UInt8(number & 255), seal: seal, meta: 128 << 10, body: 1 << 20)
            }
        )
        #expect(inVain >= limit && inVain < limit + (1 << 20))
        #expect(isCutShort)
    }

    @Test func `a file of more than 64 GiB is not searched`() throws {
        let file = unsafe open(path, O_RDWR | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try #require(ftruncate(file, off_t(RepairSource.largest + 1)) == 0)
        #expect(throws: RepairRefusal.tooLarge) { try RepairSource(path, beside: nil, .system) }
        try #require(ftruncate(file, off_t(RepairSource.largest)) == 0)
        #expect(try RepairSource(path, beside: nil, .system).hasFile)
    }

    @Test func `places beyond the limit are refused, and five bytes hold each`() throws {
        var places = PlaceList()
        for number in 0..<PlaceList.maximum {
            try places.add(.init(isInLog: number & 1 == 1, offset: number << 12), lane: number & 127)
        }
        #expect(throws: RepairRefusal.tooManyRows) {
            try places.add(.init(isInLog: false, offset: 0), lane: 0)
        }
        let last = places[(PlaceList.maximum - 1) & 127].reduce(nil) { $1 }
        #expect(last == PlaceList.Place(isInLog: true, offset: (PlaceList.maximum - 1) << 12))
    }
}
