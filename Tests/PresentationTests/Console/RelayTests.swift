import Files
import Foundation
import System
import Testing
import VaultCrypto

/// Long streams in batches.
struct RelayTests {
    /// What a batch is refused for in these tests.
    enum Refusal: Error, Equatable { case batch(UInt64) }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID().uuidString)")
            .path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func relayed(
        _ bytes: [UInt8],
        batch: Int,
        threads: Int,
        refusing refused: UInt64? = nil
    ) throws -> (output: [UInt8], refusal: UInt64?) {
        var found: ([UInt8], UInt64?) = ([], nil)
        try inFolder { folder in
            try Data(bytes).write(to: URL(filePath: folder + "/in"))
            try Data().write(to: URL(filePath: folder + "/out"))
            let (input, output) = (
                try OpenFile(named: folder + "/in", O_RDONLY), try OpenFile(named: folder + "/out", O_WRONLY)
            )
            let relay = Relay(
                from: input.descriptor,
                to: output.descriptor,
                batchSize: batch,
                roomSize: batch + 9
            )
            do throws(RelayError<Refusal>) {
                // Every batch is written with its number before it and a mark behind the last one.
                let count = try relay.run(threads: threads) { number, bytes, isLast, room throws(Refusal) in
                    if number == refused { throw .batch(number) }
                    room.storeBytes(of: number.bigEndian, as: UInt64.self)
                    room.storeBytes(of: isLast ? 1 : 0, toByteOffset: 8, as: UInt8.self)
                    for place in 0..<bytes.byteCount {
                        room.storeBytes(of: bytes.byte(at: place), toByteOffset: 9 + place, as: UInt8.self)
                    }
                    return 9 + bytes.byteCount
                }
                #expect(count.read == UInt64(bytes.count))
            } catch {
                guard case .work(.batch(let number)) = error else { throw error }
                found.1 = number
            }
            withExtendedLifetime((input, output)) {}
            found.0 = try OwnFile.read(folder + "/out", limit: 1 << 24)
        }
        return found
    }

    private func expected(_ bytes: [UInt8], batch: Int, upTo end: UInt64 = .max) -> [UInt8] {
        var (output, number, place) = ([UInt8](), UInt64(0), 0)
        repeat {
            let next = min(bytes.count, place + batch)
            guard number < end else { break }
            output += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
            output += [next == bytes.count ? 1 : 0] + bytes[place..<next]
            (number, place) = (number + 1, next)
        } while place < bytes.count
        return output
    }

    @Test(arguments: [1, 2, 4], [0, 1, 9, 10, 11, 20, 999, 1000])
    func `batches are numbered, marked at the end, and written in order`(threads: Int, count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let found = try relayed(bytes, batch: 10, threads: threads)
        #expect(found.output == expected(bytes, batch: 10) && found.refusal == nil)
    }

    @Test(arguments: [1, 2, 4], [UInt64(0), 1, 7, 99])
    func `what is before a refused batch is written, and nothing behind it`(threads: Int, refused: UInt64)
        throws
    {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let found = try relayed(bytes, batch: 10, threads: threads, refusing: refused)
        #expect(found.refusal == refused)
        #expect(found.output == expected(bytes, batch: 10, upTo: refused))
    }

    @Test func `a file that ends sooner than it did is said to have changed`() throws {
        try inFolder { folder in
            try Data(count: 30).write(to: URL(filePath: folder + "/in"))
            let input = try OpenFile(named: folder + "/in", O_RDWR)
            defer { withExtendedLifetime(input) {} }
            let file = input.descriptor
            let relay = Relay(from: file, batchSize: 10, roomSize: 10) { _ in }
            let error = #expect(throws: RelayError<Refusal>.self) {
                // When the first batch was read, two more followed it.
                _ = try relay.run(threads: 1) { _, _, _, _ throws(Refusal) in
                    _ = ftruncate(file.number, 10)
                    return 0
                }
            }
            guard case .stream(.fileChanged) = error else { throw try #require(error) }
        }
    }

    @Test func `a stream that cannot be written to is said to be full`() throws {
        let input = try OpenFile(named: "/dev/zero", O_RDONLY)
        let output = try OpenFile(named: "/dev/full", O_WRONLY)
        defer { withExtendedLifetime((input, output)) {} }
        let relay = Relay(from: input.descriptor, to: output.descriptor, batchSize: 100, roomSize: 100)
        do throws(RelayError<Refusal>) {
            _ = try relay.run { _, _, _, _ throws(Refusal) in 100 }
            Issue.record("it was full")
        } catch {
            guard case .stream(.diskFull) = error else { throw error }
        }
    }
}
