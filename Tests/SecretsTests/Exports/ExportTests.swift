import Secrets
import Testing
import VaultCrypto

/// Export files: what goes in comes out, and nothing but the whole of it.
@Suite struct `Export files` {
    private static let passphrase = Array("correct horse".utf8)

    private static func secret(_ bytes: [UInt8]) throws -> Secret { try Secret(copying: bytes) }

    private static func file(_ items: [(ExportItem.Kind, String, [UInt8])]) throws -> [UInt8] {
        var writer = try ExportWriter(
            passphrase: try secret(passphrase),
            parameters: PasswordHash.floor,
            entropy: .seeded([7])
        )
        for (kind, name, content) in items { try writer.add(ExportItem(kind, name, try secret(content))) }
        return try writer.finish()
    }

    private static func read(_ file: [UInt8]) throws -> [(ExportItem.Kind, String, [UInt8])] {
        try ExportReader.items(of: file, passphrase: try secret(passphrase)).map {
            ($0.kind, $0.name, $0.content.withBytes { $0.copied() })
        }
    }

    @Test(arguments: [0, 1, 65_524, 65_525, 65_526, 131_060, 131_072, 200_000])
    func `what goes in comes out, whatever falls on the edge of a slice`(size: Int) throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let items = try Self.read(try Self.file([(.about, "", [1, 2]), (.secret, "näme", content)]))
        #expect(items.map(\.0) == [.about, .secret])
        #expect(items.map(\.1) == ["", "näme"])
        #expect(items.map(\.2) == [[1, 2], content])
    }

    @Test func `an export of nothing is one, and is read`() throws {
        #expect(try Self.read(try Self.file([])).isEmpty)
    }

    @Test func `another passphrase is told from damage`() throws {
        let file = try Self.file([(.secret, "a", [1])])
        let other = try Self.secret(Array("correct hors".utf8))
        #expect(throws: ExportError.wrongPassphrase) { try ExportReader.items(of: file, passphrase: other) }
    }

    @Test func `every cut behind the header is found`() throws {
        let file = try Self.file([(.secret, "a", [UInt8](repeating: 5, count: 70_000))])
        for count in [68, 69, 83, 84, 100, 68 + 65_536, 68 + 65_552, 68 + 65_553, file.count - 1] {
            #expect(throws: ExportError.tampered) { try Self.read(Array(file[..<count])) }
        }
        #expect(throws: ExportError.tampered) { try Self.read(file + [0]) }
    }

    @Test func `a slice in another place, and a last slice taken away, are found`() throws {
        let file = try Self.file([(.secret, "a", [UInt8](repeating: 5, count: 140_000))])
        let (head, slice) = (68, 65_552)
        var swapped = file
        swapped.replaceSubrange(head..<head + slice, with: file[head + slice..<head + 2 * slice])
        swapped.replaceSubrange(head + slice..<head + 2 * slice, with: file[head..<head + slice])
        #expect(throws: ExportError.tampered) { try Self.read(swapped) }
        let cut = Array(file.prefix(head + 2 * slice))
        #expect(throws: ExportError.tampered) { try Self.read(cut) }
    }

    @Test(arguments: [0, 5, 12, 16, 20, 36, 67, 68, 90])
    func `every byte counts`(place: Int) throws {
        var file = try Self.file([(.secret, "a", [1, 2, 3])])
        file[place] ^= 1
        #expect(throws: ExportError.self) { try Self.read(file) }
    }

    @Test func `no file can ask for all memory there is`() throws {
        var file = try Self.file([])
        file.replaceSubrange(16..<20, with: [0x7F, 0xFF, 0xFF, 0xFF])
        #expect(throws: ExportError.malformed) { try Self.read(file) }
    }

    @Test(
        arguments: [(10, 1 << 20), (3, 1 << 20), (3, (512 << 10) + 1), (7, 256 << 10), (4, 512 << 10)]
            as [(UInt8, UInt32)]
    )
    func `no file can ask for more than twice what this program's own ask for`(
        passes: UInt8,
        kibibytes: UInt32
    ) throws {
        var file = try Self.file([])
        file.replaceSubrange(
            12..<20,
            with: [0, 0, 0, passes] + (0..<4).map { UInt8(truncatingIfNeeded: kibibytes >> (24 - 8 * $0)) }
        )
        #expect(throws: ExportError.malformed) { try ExportReader.parameters(of: file) }
    }

    @Test(arguments: [(3, 256 << 10), (6, 256 << 10), (3, 512 << 10), (10, 64 << 10)] as [(UInt8, UInt32)])
    func `up to twice as much is read`(passes: UInt8, kibibytes: UInt32) throws {
        var file = try Self.file([])
        file.replaceSubrange(
            12..<20,
            with: [0, 0, 0, passes] + (0..<4).map { UInt8(truncatingIfNeeded: kibibytes >> (24 - 8 * $0)) }
        )
        #expect(try ExportReader.parameters(of: file).operations == UInt32(passes))
    }

    @Test func `a later version is told from what is no export`() {
        #expect(throws: ExportError.unsupportedVersion) { try Self.read(Array("HSIPEXPORT2\n".utf8)) }
        #expect(throws: ExportError.malformed) { try Self.read(Array("PK".utf8)) }
        #expect(ExportReader.isExport(Array("HSIPEXPORT2\n".utf8)))
        #expect(!ExportReader.isExport(Array("{".utf8)))
    }

    @Test func `what is over the limits is not put in`() throws {
        #expect(throws: ExportError.tooLarge) {
            try Self.file([(.secret, String(repeating: "x", count: 513), [1])])
        }
        #expect(throws: ExportError.tooLarge) {
            try Self.file([(.secret, "a", [UInt8](repeating: 0, count: ExportLimits.content + 1))])
        }
    }
}
