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
        let recovery = LogRecovery(code: code, entries: line.entries, name: name, address: address)
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
        let _: Nothing = try await laptop.vault(Operations.addPaper, code, "paper")
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
        let _: Nothing = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        await refuses(.machineRevoked) { _ = try await recover(Machine("new"), try paper(8), line) }
        _ = try await laptop.vault(Operations.revokeMachine, "paper", 0)
        try await laptop.sync(line)
        await refuses(.machineRevoked) { _ = try await recover(Machine("new"), code, line) }
    }

    @Test func `a recovery that was interrupted goes on, and admits one machine`() async throws {
        let (line, code, new) = (Line(), try paper(7), Machine("new"))
        let laptop = try await founded(line)
        let _: Nothing = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        let recovery = LogRecovery(code: code, entries: line.entries, name: "new", address: Self.address)
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
        let _: Nothing = try await laptop.vault(Operations.addPaper, code, "paper")
        try await laptop.sync(line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        let out = try await laptop.vault(Operations.giveLog)
        #expect(line.create([out.entries[0]], at: out.place))
        #expect(try await recover(new, code, line).entries.count == 2)
        try await new.sync(line)
        #expect(try await new.vault(Operations.logState)?.machines.map(\.name) == ["laptop", "new", "paper"])
    }

    @Test func `a machine on paper is added by a keeper, once, and under a free name`() async throws {
        let (line, web) = (Line(), Machine("web"))
        let laptop = try await founded(line)
        try await join(web, laptop, line, isReader: true)
        await refuses(.notAllowed) {
            let _: Nothing = try await web.vault(Operations.addPaper, try paper(7), "paper")
        }
        await refuses(.nameTaken) {
            let _: Nothing = try await laptop.vault(Operations.addPaper, try paper(7), "web")
        }
        for _ in 0..<2 {
            let _: Nothing = try await laptop.vault(Operations.addPaper, try paper(7), "paper")
            try await laptop.sync(line)
        }
        #expect(try await laptop.vault(Operations.logState)?.machines.count == 3)
    }
}
