import LogCarriers
import Testing

/// What every carrier promises, asked of each.
enum ContractCase: String, CaseIterable, Sendable {
    case fake, folder, git, ssh, etcd

    /// Those whose calls are not all connections by ssh, which is git as before, but slow.
    static let quick: [ContractCase] = [.fake, .folder, .git, .etcd]
}

/// One log and its machines, for one test.
final class ContractLog {
    private let place: (any Place)?
    private let fake = FakeCarrier()

    init(_ kind: ContractCase) throws {
        place =
            switch kind {
            case .fake: nil
            case .folder: try FolderPlace()
            case .git: try GitPlace()
            case .ssh: try SSHPlace()
            case .etcd: try EtcdPlace()
            }
    }

    func machine(_ number: Int) throws -> any LogCarrier { try place?.carrier(number) ?? fake }
}

/// One after the other: the nodes of etcd are shared, and some tests stop them.
@Suite(.serialized) enum CarrierTests {}

extension CarrierTests {
    struct ContractTests {
        @Test(arguments: ContractCase.allCases)
        func `an empty log has no places and takes only the first one`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let (one, other) = (try log.machine(1), try log.machine(2))
            #expect(try one.range() == .empty)
            #expect(try one.read(from: 1, bytes: 1_000) == LogPage(.empty))
            #expect(throws: CarrierError.gap) { try one.create([entry(1, 7)], at: 7) }
            #expect(try other.range() == .empty)
            #expect(try one.create([entry(1, 1)], at: 1) == .created)
            #expect(try other.read(from: 1, bytes: 1_000).entries == [entry(1, 1)])
        }

        @Test(arguments: ContractCase.allCases)
        func `a place is given once, and only behind the one before`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let (one, other) = (try log.machine(1), try log.machine(2))
            #expect(try one.create([entry(1, 1), entry(1, 2)], at: 1) == .created)
            #expect(try other.create([entry(2, 1)], at: 1) == .taken)
            #expect(try other.create([entry(2, 2)], at: 2) == .taken)
            #expect(throws: CarrierError.gap) { try other.create([entry(2, 4)], at: 4) }
            #expect(try other.create([entry(2, 3)], at: 3) == .created)
            // This machine knows of nothing behind its own entries yet.
            #expect(try one.create([entry(1, 3)], at: 3) == .taken)
            #expect(try one.read(from: 2, bytes: 1_000).entries.first == entry(1, 2))
            let range = LogRange(oldest: 1, newest: 3)
            #expect(try one.read(from: 3, bytes: 1_000) == LogPage(range, [entry(2, 3)]))
            #expect(try one.read(from: 4, bytes: 1_000) == LogPage(range))
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
            #expect(try other.read(from: 4, bytes: 1_000).entries == [entry(1, 4)])
        }

        @Test(arguments: ContractCase.quick)
        func `entries that are put again are in the log once`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let one = try log.machine(1)
            let entries = [entry(1, 1), entry(1, 2)]
            #expect(try one.create(entries, at: 1) == .created)
            #expect(try one.create(entries, at: 1) != .unknown)
            #expect(try one.read(from: 1, bytes: 1_000) == LogPage(LogRange(oldest: 1, newest: 2), entries))
        }

        @Test(arguments: ContractCase.quick)
        func `what is too large changes nothing`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let one = try log.machine(1)
            let refused: [[[UInt8]]] = [
                [], [[]], [entry(1, 1, size: CarrierLimits.entry + 1)],
                [entry(1, 1, size: 700_000), entry(1, 2, size: 700_000)],
                (1...CarrierLimits.entriesPut + 1).map { entry(1, $0, size: 20) },
            ]
            for entries in refused {
                #expect(throws: CarrierError.tooLarge) { try one.create(entries, at: 1) }
            }
            #expect(try one.range() == .empty)
            let largest = [
                entry(1, 1, size: CarrierLimits.entry), entry(1, 2, size: CarrierLimits.bytesPut >> 3),
            ]
            #expect(try one.create(largest, at: 1) == .created)
            #expect(try log.machine(2).read(from: 1, bytes: CarrierLimits.bytesRead).entries == largest)
        }

        @Test(arguments: ContractCase.quick)
        func `a page is as long as it may be`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let (one, other) = (try log.machine(1), try log.machine(2))
            let all = (1...70).map { entry(1, $0, size: 1_000) }
            #expect(try one.create(Array(all[..<60]), at: 1) == .created)
            #expect(try one.create(Array(all[60...]), at: 61) == .created)
            #expect(try other.read(from: 1, bytes: 1 << 20).entries == Array(all[..<64]))
            #expect(try other.read(from: 65, bytes: 1 << 20).entries == Array(all[64...]))
            #expect(try other.read(from: 10, bytes: 2_500).entries == Array(all[9..<11]))
            #expect(try other.read(from: 10, bytes: 1).entries == [all[9]])
        }

        @Test(arguments: ContractCase.allCases)
        func `what is before a place can be trimmed, and the rest goes on`(kind: ContractCase) throws {
            let log = try ContractLog(kind)
            let (one, other) = (try log.machine(1), try log.machine(2))
            #expect(try one.create((1...5).map { entry(1, $0) }, at: 1) == .created)
            #expect(try other.range() == LogRange(oldest: 1, newest: 5))
            #expect(throws: CarrierError.gap) { try one.trim(below: 6) }
            #expect(try one.trim(below: 4) == .done)
            #expect(try one.trim(below: 4) == .done)
            let range = LogRange(oldest: 4, newest: 5)
            #expect(try other.range() == range)
            #expect(try other.read(from: 4, bytes: 1_000) == LogPage(range, [entry(1, 4), entry(1, 5)]))
            #expect(try other.read(from: 2, bytes: 1_000) == LogPage(range))
            #expect(try other.create([entry(2, 1)], at: 1) == .taken)
            #expect(try other.create([entry(2, 6)], at: 6) == .created)
            #expect(try one.read(from: 6, bytes: 1_000).entries == [entry(2, 6)])
        }

        @Test func `an answer that was lost is unknown, with and without effect`() throws {
            let fake = FakeCarrier()
            fake.faults = [.lostRequest, .lostAnswer]
            #expect(try fake.create([entry(1, 1)], at: 1) == .unknown)
            #expect(try fake.range() == .empty)
            #expect(try fake.create([entry(1, 1)], at: 1) == .unknown)
            #expect(try fake.read(from: 1, bytes: 1_000).entries == [entry(1, 1)])
        }
    }
}
