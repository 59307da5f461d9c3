import HSIP
import SharedLog
import Testing
import VaultCrypto

@testable import VaultKit

/// A machine on paper: its recovery code and the log give everything back.
extension MachineTests {
    private static let address = LogAddress(carrier: 1, text: "file:///x")

    private func paper(_ byte: UInt8) throws -> Secret {
        try Secret(copying: [UInt8](repeating: byte, count: 16))
    }

    /// Reads the log by the code, and creates what admits the machine.
    private func recover(_ machine: Machine, _ code: Secret, _ line: Line) async throws -> LogDelivery {
        let (name, address) = (machine.name, Self.address)
        let recovery = LogRecovery(
            code: code,
            entries: line.entries,
            name: name,
            address: address,
            log: Array(line.entries[0][8..<24])
        )
        let delivery = try await machine.vault(Operations.recoverLog, recovery)
        if !delivery.entries.isEmpty { _ = line.create(delivery.entries, at: delivery.place) }
        return delivery
    }

    @Test func `everything comes back by the code of a machine on paper that was added late`() async throws {
        let (line, desktop, new) = (Line(), Machine("desktop"), Machine("new"))
        let laptop = try await founded(line)
        try await laptop.set("before", "1")
        try await laptop.sync(line)
        try await join(desktop, laptop, line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        try await laptop.sync(line)
        let code = try paper(7)
        _ = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        try await laptop.set("after", "2")
        try await laptop.sync(line)

        #expect(try await recover(new, code, line).entries.count == 1)
        try await new.sync(line)
        #expect(try await new.get("before") == "1")
        #expect(try await new.get("after") == "2")
        try await new.set("before", "3")
        try await new.sync(line)
        try await laptop.sync(line)
        #expect(try await laptop.get("before") == "3")
        let state = try #require(try await laptop.vault(Operations.logState))
        #expect(state.machines.map(\.name) == ["laptop", "new", "paper"])
        #expect(state.machines.allSatisfy { $0.role == "keeper" })
    }

    @Test func `a code opens nothing newer once its machine is removed`() async throws {
        let (line, code) = (Line(), try paper(7))
        let laptop = try await founded(line)
        _ = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        await refuses(.machineRevoked) { _ = try await recover(Machine("new"), try paper(8), line) }
        _ = try await laptop.vault(Operations.revokeMachine, "paper", 0)
        try await laptop.sync(line)
        await refuses(.machineRevoked) { _ = try await recover(Machine("new"), code, line) }
    }

    @Test func `a recovery that was interrupted goes on, and admits one machine`() async throws {
        let (line, code, new) = (Line(), try paper(7), Machine("new"))
        let laptop = try await founded(line)
        _ = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        let recovery = LogRecovery(
            code: code,
            entries: line.entries,
            name: "new",
            address: Self.address,
            log: Array(line.entries[0][8..<24])
        )
        let first = try await new.vault(Operations.recoverLog, recovery)
        #expect(try await new.vault(Operations.recoverLog, recovery).entries == first.entries)
        // Another machine is faster.
        try await laptop.set("mail", "1")
        try await laptop.sync(line)
        #expect(try await recover(new, code, line).place == first.place + 1)
        // The answer was lost.
        #expect(try await recover(new, code, line).entries.isEmpty)
        try await new.sync(line)
        #expect(try await new.get("mail") == "1")
        #expect(try await new.vault(Operations.logState)?.machines.count == 3)
        await refuses(.logExists) { _ = try await recover(new, code, line) }
    }

    @Test func `paper makes the new key that a removal lacks`() async throws {
        let (line, code, desktop, new) = (Line(), try paper(7), Machine("desktop"), Machine("new"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        _ = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        let out = try await laptop.vault(Operations.giveLog)
        #expect(line.create([out.entries[0]], at: out.place))
        #expect(try await recover(new, code, line).entries.count == 2)
        try await new.sync(line)
        #expect(try await new.vault(Operations.logState)?.machines.map(\.name) == ["laptop", "new", "paper"])
    }

    @Test func `an addition that waits is made again if another machine writes first`() async throws {
        let (line, code, desktop, tablet) = (Line(), try paper(7), Machine("desktop"), Machine("tablet"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        #expect(try await !laptop.vault(Operations.addPaper, code, "paper"))
        try await desktop.set("new", "first")
        try await desktop.sync(line)
        try await laptop.sync(line)
        #expect(try await laptop.vault(Operations.addPaper, code, "paper"))
        #expect(try await recover(Machine("new"), code, line).entries.count == 1)
        // The same for a machine with a JOIN code.
        try await laptop.sync(line)
        let shown = try await tablet.vault(Operations.joinLog, "tablet")
        let code2 = try Self.bytes(shown.code)
        _ = try await laptop.vault(Operations.admitMachine, code2, shown.number, false)
        try await desktop.sync(line)
        try await desktop.set("new", "second")
        try await desktop.sync(line)
        try await laptop.sync(line)
        _ = try await laptop.vault(Operations.admission, code2)
    }

    @Test func `of two machines on paper with one name the second is refused, and its code opens nothing`()
        async throws
    {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        #expect(try await !laptop.vault(Operations.addPaper, try paper(7), "paper"))
        _ = try await desktop.vault(Operations.addPaper, try paper(8), "paper")
        try await desktop.sync(line)
        try await laptop.sync(line)
        await refuses(.nameTaken) { _ = try await laptop.vault(Operations.addPaper, try paper(7), "paper") }
        await refuses(.machineRevoked) { _ = try await recover(Machine("new"), try paper(7), line) }
    }

    @Test func `a machine on paper is added by a keeper, once, and under a free name`() async throws {
        let (line, web) = (Line(), Machine("web"))
        let laptop = try await founded(line)
        try await join(web, laptop, line, isReader: true)
        await refuses(.notAllowed) {
            _ = try await web.vault(Operations.addPaper, try paper(7), "paper")
        }
        await refuses(.nameTaken) {
            _ = try await laptop.vault(Operations.addPaper, try paper(7), "web")
        }
        for _ in 0..<2 {
            _ = try await laptop.vault(Operations.addPaper, try paper(7), "paper")
            try await laptop.sync(line)
        }
        #expect(try await laptop.vault(Operations.logState)?.machines.count == 3)
    }
}
