import Foundation
import LogCarriers
import Synchronization
import Testing

extension CarrierTests {
    /// Eight machines write at once; each call of git and curl is a process of its own.
    struct RaceTests {
        /// What the machines came upon.
        private final class Notes: Sendable {
            let troubles = Mutex<[String]>([])
        }

        @Test(arguments: [(ContractCase.folder, 50), (.git, 3), (.etcd, 6)])
        func `of eight machines that write, none loses an entry and no place is given twice`(
            kind: ContractCase,
            count: Int
        ) throws {
            let place: any Place =
                switch kind {
                case .folder: try FolderPlace()
                case .git: try GitPlace()
                default: try EtcdPlace()
                }
            let notes = Notes()
            let threads = DispatchGroup()
            for machine in 1...8 {
                threads.enter()
                let thread = Thread {
                    defer { threads.leave() }
                    do {
                        try Self.write(count, try place.carrier(machine), machine)
                    } catch {
                        notes.troubles.withLock { $0.append("\(machine): \(error)") }
                    }
                }
                thread.start()
            }
            threads.wait()
            #expect(notes.troubles.withLock { $0 } == [])
            let reader = try place.carrier(9)
            var all: [[UInt8]] = []
            while true {
                let page = try reader.read(from: UInt64(all.count + 1), bytes: CarrierLimits.bytesRead)
                guard !page.entries.isEmpty else { break }
                all += page.entries
            }
            #expect(all.count == 8 * count)
            for machine in 1...8 {
                // Each machine's own, in the order in which it wrote them.
                let own = all.filter { $0.starts(with: Array("\(machine)/".utf8)) }
                #expect(own == (1...count).map { entry(machine, $0) }, "\(machine)")
            }
        }

        /// Writes entries as a sync does: push first, read where somebody was faster.
        private static func write(_ count: Int, _ carrier: any LogCarrier, _ machine: Int) throws {
            var (next, refusals): (UInt64, Int) = (1, 0)
            for number in 1...count {
                let own = entry(machine, number)
                var isWritten = false
                while !isWritten {
                    let outcome: CreateOutcome
                    do throws(CarrierError) {
                        outcome = try carrier.create([own], at: next)
                    } catch {
                        // Nothing was written: a server that is too busy to take a connection.
                        refusals += 1
                        guard error == .unreachable, refusals < 20 else { throw error }
                        continue
                    }
                    if outcome == .created {
                        (isWritten, next) = (true, next + 1)
                        continue
                    }
                    while true {
                        let page = try carrier.read(from: next, bytes: CarrierLimits.bytesRead)
                        guard !page.entries.isEmpty else { break }
                        isWritten = isWritten || page.entries.contains(own)
                        next += UInt64(page.entries.count)
                    }
                }
            }
        }
    }
}
