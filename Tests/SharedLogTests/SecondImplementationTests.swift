import Foundation
import SharedLog
import Support
import Testing
import VaultCrypto

/// Random logs, written by one implementation and read by the other (Tests/Interop/shared_log.py).
struct SecondImplementationTests {
    private struct Log: Codable {
        var seed, box_secret: String
        var entries: [String]
        var place: UInt64?
        var state: String?
    }

    private struct End: Codable {
        let place: UInt64
        let state: String
    }

    private func peer(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let script = folder.appending(path: "../Interop/log_peer.py").standardized.path
        let end = try Spawned.run(
            "/usr/bin/python3",
            ["-B", script] + arguments,
            environment: ["PATH": "/usr/bin:/bin"],
            input: input
        )
        #expect(end.status == 0, "\(String(decoding: end.errors, as: UTF8.self))")
        return end.output
    }

    @Test(arguments: 100..<106) func `a log that the other wrote is read, to the same state`(seed: Int) throws
    {
        let log = try JSONDecoder().decode(Log.self, from: Data(try peer(["write", "\(seed)"])))
        let founder = try MachineKeys(
            seed: Secret(copying: LogVectors.bytes(log.seed)),
            boxSecret: Secret(copying: LogVectors.bytes(log.box_secret))
        )
        var facts = EntryContext(boxSecrets: [founder.boxSecret], generation: 1)
        let entries = log.entries.map(LogVectors.bytes)
        facts.sent = Set(entries.map(LogHead.hash))
        let reader = LogSegment.Reader.recovering(founder.id, log: nil)
        let book = try LogSegment(entries, for: reader, facts).book
        #expect(book.head.place == log.place)
        #expect(Hex.encode(book.state.digest(epoch: book.epoch)) == log.state)
        // The same from the newest compaction on, as a machine reads that lost everything.
        let newest = try LogSegment(Array(entries.dropFirst(Int(book.newestWhole) - 1)), for: reader, facts)
        #expect(newest.book.state.digest(epoch: book.epoch) == book.state.digest(epoch: book.epoch))
    }

    @Test(arguments: 1...6) func `a log that is written here is read by the other, to the same state`(
        seed: UInt8
    ) throws {
        let written = try WrittenLog(seed: seed)
        let log = Log(
            seed: written.founder.seed.withBytes { Hex.encode($0.copied()) },
            box_secret: written.founder.boxSecret.withBytes { Hex.encode($0.copied()) },
            entries: written.entries.map { Hex.encode($0) }
        )
        let output = try peer(["read"], input: Array(try JSONEncoder().encode(log)))
        let end = try JSONDecoder().decode(End.self, from: Data(output))
        #expect(end.place == written.book.head.place)
        #expect(end.state == Hex.encode(written.book.state.digest(epoch: written.book.epoch)))
    }
}

/// A log of random acts of its founder and another keeper, who comes and goes.
private struct WrittenLog {
    let founder: MachineKeys
    private(set) var book: LogBook
    private(set) var entries: [[UInt8]]

    private var objects: [ObjectID: SharedObject] = [:]
    private var bytes: [UInt8]

    init(seed: UInt8) throws {
        bytes = Entropy.seeded([seed]).bytes(400)
        founder = try MachineKeys(entropy: .seeded([seed, 1]))
        let signer = EntrySigner(keys: founder, time: 5, generation: 1, entropy: .system)
        let log = LogID(digest: [UInt8](repeating: seed, count: 16))
        let founded = try LogBook.founding(log, name: "Gründer", objects: [], signer)
        (book, entries) = (founded.book, founded.entries.map(\.bytes))
        for step in 0..<30 { try act(step, signer) }
    }

    private mutating func next() -> UInt8 { bytes.removeFirst() }

    private mutating func act(_ step: Int, _ signer: EntrySigner) throws {
        switch next() % 8 {
        case 0..<4:
            let id = ObjectID(digest: [UInt8](repeating: next() % 5, count: 16))
            let content = try Secret(copying: [UInt8](repeating: next(), count: Int(next()) * 5))
            let object = try SharedObject(
                kind: 1,
                id: id,
                created: 1,
                name: "\(id) \(step)",
                content: content
            )
            objects[id] = object
            try take(try book.change([.put(object)], signer, partSize: next() % 2 == 0 ? 200 : 900_000))
        case 4:
            guard let id = book.state.objectIDs.first else { return }
            objects[id] = nil
            try take(try book.change([.delete(id), .renew(boxKey: founder.boxKey)], signer))
        case 5:
            let other = try MachineKeys(entropy: .seeded([UInt8(step), 9]))
            let admission = try LogOperation.Admission(
                signKey: other.signKey,
                boxKey: other.boxKey,
                role: next() % 2 == 0 ? .keeper : .reader,
                name: "machine \(step)",
                log: book.log,
                by: founder
            )
            try take(try book.change([.add(admission)], signer))
        case 6:
            guard let other = book.state.sortedMembers.first(where: { $0.id != founder.id }) else {
                try take([try book.rekey(.periodic, signer)])
                return
            }
            try take(try book.removal(of: other.id, reason: 1, signer))
        default:
            var stream = try StateStream.Writer(book.state, sliceSize: 700)
            var slices: [Secret] = []
            for id in book.state.objectIDs {
                guard let object = objects[id], let line = book.state[id] else { continue }
                slices += try stream.add(object, place: line.place)
            }
            slices += try stream.finish()
            try take([try book.compaction(parts: slices.count, signer)])
            for slice in slices { try take([try book.snapshotPart(slice, signer)]) }
        }
    }

    private mutating func take(_ written: [WrittenEntry]) throws {
        var facts = EntryContext(boxSecrets: [founder.boxSecret], generation: 1)
        facts.sent = Set(written.map(\.head.hash))
        for entry in written {
            _ = try book.take(entry.bytes, facts)
            entries.append(entry.bytes)
        }
    }
}
