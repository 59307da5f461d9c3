import Foundation
import RecordStore
import Support
import Testing
import VaultCrypto
import VaultKit

/// The audit log in the hands of someone who has its files and not the vault.
struct AuditTamperTests {
    /// What is done to the bytes of a log of ten entries.
    enum Deed: String, CaseIterable, CustomTestStringConvertible {
        case flipBit, cutMiddle, swap, repeated, cutEnd, cutWithinEnd, append, emptyFile, otherHeader

        var testDescription: String { rawValue }

        func apply(_ data: Data, _ frames: [Range<Int>]) -> Data {
            var bytes = data
            switch self {
            case .flipBit: bytes[frames[4].lowerBound + 80] ^= 1
            case .cutMiddle: bytes.removeSubrange(frames[4])
            case .swap:
                let (a, b) = (data[frames[4]], data[frames[5]])
                bytes.replaceSubrange(frames[4].lowerBound..<frames[5].upperBound, with: b + a)
            case .repeated: bytes.insert(contentsOf: data[frames[4]], at: frames[5].lowerBound)
            case .cutEnd: bytes = bytes[..<frames[8].upperBound]
            case .cutWithinEnd: bytes = bytes.dropLast(10)
            case .append: bytes += Data(repeating: 0, count: 100)
            case .emptyFile: bytes = Data()
            case .otherHeader: bytes[20] ^= 1
            }
            return bytes
        }
    }

    @Test(arguments: Deed.allCases) func `what was done to the file is found`(deed: Deed) async throws {
        let house = try LoggedVault()
        try await house.write(10)
        try await house.vault.markAudit()
        try house.overwrite(deed.apply(try house.bytes(), try house.frames()))
        #expect(!(try await house.second().checkAudit().isWhole))
    }

    @Test(arguments: Deed.allCases) func `writing on after it does not hide it`(deed: Deed) async throws {
        let house = try LoggedVault()
        let log = try await house.write(10)
        try await house.vault.markAudit()
        try house.overwrite(deed.apply(try house.bytes(), try house.frames()))
        // Both who knew the log before, and who meets it now.
        try log.append(LoggedVault.entry(11))
        try await house.second().auditLog().append(LoggedVault.entry(12))
        let report = try await house.second().checkAudit()
        #expect(!report.isWhole)
        let last = try await house.second().auditEntries(AuditQuery(last: 2))
        #expect(last.map(\.entry.subject) == ["key-11", "key-12"])
    }

    @Test func `a log that was removed is missed`() async throws {
        let house = try LoggedVault()
        let log = try await house.write(10)
        try await house.vault.markAudit()
        try FileManager.default.removeItem(atPath: house.folder)
        #expect(
            try await house.second().checkAudit().findings == [.missingEnd(found: 0, expected: 10)]
        )
        try log.append(LoggedVault.entry(11))
        #expect(!(try await house.second().checkAudit().isWhole))
        #expect(try await house.vault.auditEntries(AuditQuery(last: 1)).first?.entry.subject == "key-11")
    }

    @Test func `an older copy of the log is missed, with what it lacks`() async throws {
        let house = try LoggedVault()
        let log = try await house.write(5)
        let old = try house.bytes()
        for number in 6...10 { try log.append(LoggedVault.entry(number)) }
        try await house.vault.markAudit()
        try house.overwrite(old)
        #expect(
            try await house.second().checkAudit().findings == [.missingEnd(found: 5, expected: 10)]
        )
    }

    @Test func `the log of another vault is not this one's`() async throws {
        let (house, other) = (try LoggedVault(), try LoggedVault())
        try await house.write(3)
        try await other.write(3)
        try house.overwrite(try other.bytes())
        #expect(!(try await house.vault.checkAudit().isWhole))
        #expect(try await house.vault.auditEntries(AuditQuery()).isEmpty)
    }

    @Test func `any bytes in the file are a finding and no crash`() async throws {
        let house = try LoggedVault()
        try await house.write(4)
        let good = try house.bytes()
        var noise = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var bytes = good
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
            }
            if Bool.random(using: &noise) {
                bytes = bytes.prefix(Int.random(in: 0...bytes.count, using: &noise))
            }
            try house.overwrite(bytes)
            let report = try await house.vault.checkAudit()
            #expect(report.isWhole == (bytes == good) || report.count < 4)
        }
    }
}
