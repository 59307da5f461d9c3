import SharedLog
import Testing

@testable import VaultKit

/// Machines are removed, leave, and join again.
extension MachineTests {
    @Test func `a machine that is removed reads nothing newer, and may join again under new keys`()
        async throws
    {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        let join = try await join(desktop, laptop, line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        try await laptop.sync(line)
        try await laptop.set("new", "after")
        try await laptop.sync(line)
        let report = try await desktop.sync(line)
        #expect(report.isRevoked)
        #expect(try await desktop.vault(Operations.logState)?.stage == .removed)
        await refuses(.machineRevoked) { _ = try await desktop.vault(Operations.giveLog) }
        await refuses(.machineRevoked) {
            _ = try await desktop.vault(Operations.takeLog, LogIntake(line.entries))
        }
        await refuses(.unknownMachine) { _ = try await laptop.vault(Operations.admission, join) }
        try await self.join(desktop, laptop, line)
        #expect(try await desktop.get("new") == "after")
    }

    @Test func `a keeper makes the new key that the remover's entry lacks`() async throws {
        let (line, desktop, tablet) = (Line(), Machine("desktop"), Machine("tablet"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        try await join(tablet, laptop, line)
        try await tablet.sync(line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        let out = try await laptop.vault(Operations.giveLog)
        // The server keeps the second entry back.
        #expect(out.entries.count == 2 && line.create([out.entries[0]], at: out.place))
        try await tablet.set("new", "after")
        #expect(try await tablet.sync(line).gone == ["desktop": "laptop"])
        #expect(try await desktop.sync(line).isRevoked)
        try await laptop.sync(line)
        #expect(try await laptop.get("new") == "after")
        let state = try #require(try await laptop.vault(Operations.logState))
        #expect(state.machines.map(\.name) == ["laptop", "tablet"] && !state.isWaiting)
    }

    @Test func `a removal that waits is made again if another machine writes first`() async throws {
        let (line, desktop, tablet) = (Line(), Machine("desktop"), Machine("tablet"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        try await join(tablet, laptop, line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        #expect(try await laptop.vault(Operations.giveLog).entries.count == 2)
        try await tablet.set("new", "first")
        try await tablet.sync(line)
        #expect(try await laptop.sync(line).gone == ["desktop": "laptop"])
        #expect(try await tablet.sync(line).gone == ["desktop": "laptop"])
        #expect(try await desktop.sync(line).isRevoked)
    }

    @Test func `a sync says which machine came, and who added it`() async throws {
        let (line, desktop, tablet) = (Line(), Machine("desktop"), Machine("tablet"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        try await join(tablet, desktop, line)
        let report = try await laptop.sync(line)
        #expect(report.joined == ["tablet": "desktop"] && report.gone.isEmpty)
    }

    @Test func `a machine that joins again with the same secrets meets no conflict`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        for value in ["one", "two", "three"] {
            try await laptop.set("a", value)
            try await laptop.sync(line)
        }
        try await desktop.sync(line)
        _ = try await laptop.vault(Operations.revokeMachine, "desktop", 0)
        try await laptop.sync(line)
        _ = try await desktop.vault(Operations.forgetLog)
        let admit = try await admitted(desktop, by: laptop, line).admit
        _ = try await desktop.vault(Operations.enterLog, try Self.bytes(admit.code), admit.number)
        let report = try await desktop.sync(line)
        #expect(report.conflicts.isEmpty && report.renamed.isEmpty && report.removedElsewhere.isEmpty)
        #expect(try await desktop.get("a") == "three")
        #expect(try await desktop.vault(Operations.giveLog).entries.isEmpty)
    }

    @Test func `a machine that leaves is removed by the next keeper, under a new key`() async throws {
        let (line, desktop) = (Line(), Machine("desktop"))
        let laptop = try await founded(line)
        try await join(desktop, laptop, line)
        _ = try await desktop.vault(Operations.leaveLog)
        let out = try await desktop.vault(Operations.giveLog)
        #expect(line.create(out.entries, at: out.place))
        #expect(try await desktop.vault(Operations.takeLog, LogIntake(out.entries)).isRevoked)
        #expect(try await desktop.vault(Operations.logState)?.stage == .removed)
        _ = try await desktop.vault(Operations.forgetLog)
        #expect(try await desktop.vault(Operations.logState) == nil)
        let epoch = try #require(try await laptop.vault(Operations.logState)?.head?.epoch)
        let report = try await laptop.sync(line)
        #expect(report.gone == ["desktop": ""])
        #expect(try await laptop.sync(line).gone.isEmpty)
        let state = try #require(try await laptop.vault(Operations.logState))
        #expect(state.machines.map(\.name) == ["laptop"] && state.head?.epoch == epoch + 1)
        await refuses(.lastKeeper) { _ = try await laptop.vault(Operations.leaveLog) }
    }
}
