import HSIP
import RecordStore
import Secrets
import SharedLog
import Support
import Testing
import VaultCrypto

@testable import VaultKit

/// Machines found, join and leave a log by the operations that hsip calls; a line in memory stands for the server.
struct MachineTests {
    /// The entries that a server has.
    final class Line {
        var entries: [[UInt8]] = []

        /// Create if absent.
        func create(_ new: [[UInt8]], at place: UInt64) -> Bool {
            guard UInt64(entries.count) + 1 == place else { return false }
            entries += new
            return true
        }

        func cut(to count: Int) { entries = Array(entries.prefix(count)) }

        func change(_ place: Int) { entries[place - 1][entries[place - 1].count - 1] ^= 1 }
    }

    struct Machine {
        let name: String
        let clock = TestClock(1_800_000_000)
        let vault: any VaultService
        let store: MemoryStore

        init(_ name: String) {
            self.name = name
            let clock = clock
            store = MemoryStore(entropy: .system, now: { clock.now * 1_000 })
            let store = store
            vault = CarriedService(Loopback(vault: Vault(store: store, clock: { clock.now })))
        }

        /// Sends and reads until nothing is left.
        @discardableResult
        func sync(_ line: Line) async throws -> LogReport {
            var sum: LogReport?
            for _ in 0..<10 {
                let before = try #require(try await vault(Operations.logState))
                let out = before.stage == .member ? try await vault(Operations.giveLog) : LogDelivery()
                if !out.entries.isEmpty { _ = line.create(out.entries, at: out.place) }
                let start = before.head.map { Int($0.place) - 1 } ?? 0
                var report = try await vault(
                    Operations.takeLog,
                    LogIntake(Array(line.entries.dropFirst(start)))
                )
                report.received.merge(sum?.received ?? [:], uniquingKeysWith: +)
                report.renamed.merge(sum?.renamed ?? [:]) { first, _ in first }
                report.conflicts += sum?.conflicts ?? []
                report.removedElsewhere += sum?.removedElsewhere ?? []
                report.joined.merge(sum?.joined ?? [:]) { first, _ in first }
                report.gone.merge(sum?.gone ?? [:]) { first, _ in first }
                report.isRevoked = report.isRevoked || sum?.isRevoked == true
                sum = report
                if out.entries.isEmpty, before.stage == .member { return report }
            }
            return try #require(sum)
        }

        /// The number of the newest commit.
        var commit: UInt64 {
            get throws { try store.read { (reader) throws(StoreError) in reader.generation } }
        }

        func set(_ name: String, _ value: String) async throws {
            var change = CredentialChange()
            try change.put(value, in: "password")
            _ = try await vault(Operations.setCredential, name, change)
        }

        func get(_ name: String) async throws -> String {
            let value = try await vault.credentialValue(CredentialReference(name)).value
            return value.withBytes { String(decoding: $0.copied(), as: UTF8.self) }
        }
    }

    func founded(_ line: Line) async throws -> Machine {
        let laptop = Machine("laptop")
        let address = LogAddress(carrier: 1, text: "file:///x")
        _ = try await laptop.vault(Operations.foundLog, "laptop", address)
        try await laptop.sync(line)
        return laptop
    }

    /// Shows a JOIN, and types its digits at the keeper.
    func admitted(
        _ joiner: Machine,
        by keeper: Machine,
        _ line: Line,
        isReader: Bool = false
    ) async throws -> (join: [UInt8], admit: MachineCodeShown) {
        let shown = try await joiner.vault(Operations.joinLog, joiner.name)
        let join = try Self.bytes(shown.code)
        _ = try await keeper.vault(Operations.admitMachine, join, shown.number, isReader)
        try await keeper.sync(line)
        return (join, try await keeper.vault(Operations.admission, join))
    }

    @discardableResult
    func join(
        _ joiner: Machine,
        _ keeper: Machine,
        _ line: Line,
        isReader: Bool = false
    ) async throws -> [UInt8] {
        let (join, admit) = try await admitted(joiner, by: keeper, line, isReader: isReader)
        _ = try await joiner.vault(Operations.enterLog, try Self.bytes(admit.code), admit.number)
        try await joiner.sync(line)
        return join
    }

    static func bytes(_ code: String) throws -> [UInt8] {
        try CodeText.machineCode(in: Array(code.utf8)).bytes
    }

    func refuses(_ reason: LogError.Reason, _ act: () async throws -> Void) async {
        do {
            try await act()
            Issue.record("\(reason) expected")
        } catch VaultError.log(let error) {
            #expect(error.reason == reason)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `a password goes over to a machine that joins, and back`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        try await laptop.set("db/prod", "first")
        try await laptop.sync(line)
        try await desktop.set("own", "here")
        try await join(desktop, laptop, line)
        #expect(try await desktop.get("db/prod") == "first")
        try await desktop.set("db/prod", "second")
        try await desktop.sync(line)
        let report = try await laptop.sync(line)
        #expect(report.received == ["desktop": 2])
        #expect(try await laptop.get("db/prod") == "second")
        #expect(try await laptop.get("own") == "here")
        let state = try #require(try await laptop.vault(Operations.logState))
        #expect(state.machines.map(\.name) == ["desktop", "laptop"])
        #expect(state.machines.map(\.isThis) == [false, true])
        #expect(state.machines.allSatisfy { $0.added != nil && $0.lastChange != nil })
    }

    @Test func `wrong digits change nothing, at either machine`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        let shown = try await desktop.vault(Operations.joinLog, "desktop")
        let join = try Self.bytes(shown.code)
        await refuses(.numberDiffers) {
            _ = try await laptop.vault(Operations.admitMachine, join, "000 000 000 000", false)
        }
        #expect(try await laptop.vault(Operations.giveLog).entries.isEmpty)
        await refuses(.unknownMachine) { _ = try await laptop.vault(Operations.admission, join) }
        let admit = try await admitted(desktop, by: laptop, line).admit
        await refuses(.numberDiffers) {
            _ = try await desktop.vault(Operations.enterLog, try Self.bytes(admit.code), "000000000000")
        }
        #expect(try await desktop.vault(Operations.logState)?.stage == .asked)
    }

    @Test func `an ADMIT for another machine opens nothing`() async throws {
        let (line, desktop, server) = (Line(), Machine("desktop"), Machine("server"))
        let laptop = try await founded(line)
        let admit = try await admitted(desktop, by: laptop, line).admit
        _ = try await server.vault(Operations.joinLog, "server")
        await refuses(.otherJoin) {
            _ = try await server.vault(Operations.enterLog, try Self.bytes(admit.code), admit.number)
        }
    }

    @Test func `the same JOIN gives a new ADMIT until its machine has written`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        let (join, first) = try await admitted(desktop, by: laptop, line)
        let shown = try await desktop.vault(Operations.joinLog, "desktop")
        _ = try await laptop.vault(
            Operations.admitMachine,
            try Self.bytes(shown.code),
            shown.number,
            false
        )
        #expect(try await laptop.vault(Operations.giveLog).entries.isEmpty)
        let second = try await laptop.vault(Operations.admission, try Self.bytes(shown.code))
        #expect(second.code != first.code)
        _ = try await desktop.vault(Operations.enterLog, try Self.bytes(second.code), second.number)
        try await desktop.sync(line)
        try await desktop.set("x", "y")
        try await desktop.sync(line)
        try await laptop.sync(line)
        let number = try JoinCode(bytes: join).number().text
        await refuses(.alreadyMember) {
            _ = try await laptop.vault(Operations.admitMachine, join, number, false)
        }
    }

    @Test func `a JOIN past its time is refused`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        let shown = try await desktop.vault(Operations.joinLog, "desktop")
        laptop.clock.advance(by: 7_200)
        await #expect(throws: VaultError.hsip(.codeExpired)) {
            _ = try await laptop.vault(
                Operations.admitMachine,
                try Self.bytes(shown.code),
                shown.number,
                false
            )
        }
    }

    @Test func `a second machine of the same name is refused`() async throws {
        let (line, other) = (Line(), Machine("laptop"))
        let laptop = try await founded(line)
        let shown = try await other.vault(Operations.joinLog, "laptop")
        await refuses(.nameTaken) {
            _ = try await laptop.vault(
                Operations.admitMachine,
                try Self.bytes(shown.code),
                shown.number,
                false
            )
        }
    }

    @Test func `a reader reads, and its own changes stay with it`() async throws {
        let (line, web) = (Line(), Machine("web"))
        let laptop = try await founded(line)
        try await laptop.set("a", "1")
        try await laptop.sync(line)
        try await join(web, laptop, line, isReader: true)
        #expect(try await web.get("a") == "1")
        try await web.set("b", "2")
        let out = try await web.vault(Operations.giveLog)
        #expect(out.entries.isEmpty && out.isReader && out.count == 1)
        let shown = try await Machine("third").vault(Operations.joinLog, "third")
        await refuses(.notAllowed) {
            _ = try await web.vault(
                Operations.admitMachine,
                try Self.bytes(shown.code),
                shown.number,
                false
            )
        }
    }

    @Test func `what the server lost or changed is noticed, and the sync goes on when it is back`()
        async throws
    {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        try await laptop.set("a", "1")
        try await laptop.sync(line)
        let whole = line.entries
        line.cut(to: whole.count - 1)
        await refuses(.logBehind) { try await laptop.sync(line) }
        _ = line.create([whole[whole.count - 1]], at: UInt64(whole.count))
        line.change(whole.count)
        await refuses(.logForked) { try await laptop.sync(line) }
        await refuses(.logTampered) { try await desktop.sync(line) }
        line.change(whole.count)
        try await laptop.sync(line)
        try await desktop.sync(line)
        #expect(try await desktop.get("a") == "1")
    }

    @Test func `a refusal names the place and the machine that wrote the entry`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        for number in 0..<30 { try await laptop.set("s\(number)", "1") }
        try await laptop.sync(line)
        try await join(desktop, laptop, line)
        for number in 0..<25 { _ = try await desktop.vault(Operations.removeCredential, "s\(number)", .any) }
        try await desktop.sync(line)
        #expect(try await laptop.sync(line).received == ["desktop": 25])
    }

    @Test func `a vault that lost records of the log writes nothing, and may leave`() async throws {
        let line = Line()
        let clock = TestClock(1_800_000_000)
        let store = MemoryStore(entropy: .system, now: { clock.now * 1_000 })
        let vault = Vault(store: store, clock: { clock.now }).service
        _ = try await vault(Operations.foundLog, "laptop", LogAddress(carrier: 1, text: "file:///x"))
        let out = try await vault(Operations.giveLog)
        #expect(line.create(out.entries, at: out.place))
        _ = try await vault(Operations.takeLog, LogIntake(Array(line.entries.dropFirst())))
        var change = CredentialChange()
        try change.put("1", in: "password")
        _ = try await vault(Operations.setCredential, "a", change)
        let given = try await vault(Operations.giveLog)
        #expect(line.create(given.entries, at: given.place))
        _ = try await vault(Operations.takeLog, LogIntake(given.entries))
        var lost: RecordID?
        try store.read { (reader) throws(StoreError) in
            lost = try reader.list(try RecordKind("log.index")).first?.id
        }
        let id = try #require(lost)
        _ = try store.commit(ChangeSet(floor: 0, changes: [.delete(id, expecting: nil)]))
        await refuses(.recordsLost) { _ = try await vault(Operations.giveLog) }
        await refuses(.recordsLost) { _ = try await vault(Operations.takeLog, LogIntake(line.entries)) }
        #expect(try await vault(Operations.logState)?.stage == .member)
        _ = try await vault(Operations.forgetLog)
        #expect(try await vault(Operations.logState) == nil)
    }

    @Test func `a change that was sent is looked for once, and the next change is sent`() async throws {
        let line = Line()
        let laptop = try await founded(line)
        for value in ["first", "second"] {
            try await laptop.set("mail", value)
            let before = try laptop.commit
            let out = try await laptop.vault(Operations.giveLog)
            #expect(out.count == 1 && line.create(out.entries, at: out.place))
            _ = try await laptop.vault(Operations.takeLog, LogIntake(out.entries))
            let again = try await laptop.vault(Operations.giveLog)
            #expect(again.entries.isEmpty && again.head?.place == out.place)
            #expect(try laptop.commit == before + 2)
        }
    }

    @Test func `a change beside one that waits is sent after it`() async throws {
        let line = Line()
        let laptop = try await founded(line)
        try await laptop.set("mail", "first")
        let out = try await laptop.vault(Operations.giveLog)
        try await laptop.set("mail", "second")
        #expect(line.create(out.entries, at: out.place))
        _ = try await laptop.vault(Operations.takeLog, LogIntake(out.entries))
        #expect(try await laptop.vault(Operations.giveLog).count == 1)
    }

    @Test func `a log that is left and made anew begins with every record`() async throws {
        let old = Line()
        let laptop = try await founded(old)
        for number in 0..<20 { try await laptop.set("secret \(number)", "1") }
        try await laptop.sync(old)
        _ = try await laptop.vault(Operations.forgetLog)
        let line = Line()
        let address = LogAddress(carrier: 1, text: "file:///y")
        _ = try await laptop.vault(Operations.foundLog, "laptop", address)
        try await laptop.sync(line)
        let desktop = Machine("desktop")
        try await join(desktop, laptop, line)
        #expect(try await desktop.get("secret 19") == "1")
    }

    @Test func `what another process did to the log is seen by a vault that is open`() async throws {
        let line = Line()
        let laptop = try await founded(line)
        try await laptop.set("mail", "first")
        try await laptop.sync(line)
        let other = Vault(store: laptop.store, clock: { 1_800_000_000 }).service
        try await laptop.set("mail", "second")
        let out = try await other(Operations.giveLog)
        #expect(out.count == 1 && line.create(out.entries, at: out.place))
        _ = try await other(Operations.takeLog, LogIntake(out.entries))
        try await laptop.set("bank", "third")
        #expect(try await laptop.vault(Operations.giveLog).place == out.place + 1)
        try await laptop.sync(line)
        let desktop = Machine("desktop")
        try await join(desktop, laptop, line)
        #expect(try await desktop.get("mail") == "second")
        #expect(try await desktop.get("bank") == "third")
    }

    @Test func `founding again before the log was sent changes nothing`() async throws {
        let (line, laptop) = (Line(), Machine("laptop"))
        let address = LogAddress(carrier: 1, text: "file:///x")
        let first = try await laptop.vault(Operations.foundLog, "laptop", address)
        let second = try await laptop.vault(Operations.foundLog, "laptop", address)
        #expect(first.log == second.log)
        try await laptop.sync(line)
        await refuses(.logExists) { _ = try await laptop.vault(Operations.foundLog, "laptop", address) }
        await refuses(.logExists) { _ = try await laptop.vault(Operations.joinLog, "laptop") }
        await refuses(.noLog) { _ = try await Machine("x").vault(Operations.giveLog) }
    }
}
