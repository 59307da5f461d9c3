import Secrets
import SharedLog
import Support
import Testing

@testable import VaultKit

/// What two machines did apart is kept until a person settles it.
extension MachineTests {
    /// Two machines; both have the secret `a`, and have seen it.
    private func pair(_ line: Line) async throws -> (laptop: Machine, desktop: Machine) {
        let (laptop, desktop) = (try await founded(line), Machine("desktop"))
        try await laptop.set("a", "first")
        try await laptop.sync(line)
        try await join(desktop, laptop, line)
        return (laptop, desktop)
    }

    @Test(arguments: ConflictChoice.allCases)
    func `a secret that both changed is settled as the person says`(choice: ConflictChoice) async throws {
        let line = Line()
        let (laptop, desktop) = try await pair(line)
        try await laptop.set("a", "of laptop")
        desktop.clock.advance(by: 5)
        try await desktop.set("a", "of desktop")
        try await laptop.sync(line)
        #expect(try await desktop.sync(line).conflicts == ["a"])
        #expect(try await desktop.get("a") == "of desktop")
        let found = try await desktop.vault(Operations.conflicts)
        #expect(found.map(\.name) == ["a"] && found.map(\.reason) == ["bothChanged"])
        #expect(found.map(\.machine) == ["laptop"])
        _ = try await desktop.vault(Operations.settle, "a", choice)
        #expect(try await desktop.vault(Operations.conflicts).isEmpty)
        try await desktop.sync(line)
        try await laptop.sync(line)
        let wanted = choice == .theirs ? "of laptop" : "of desktop"
        #expect(try await desktop.get("a") == wanted)
        #expect(try await laptop.get("a") == wanted)
        await refuses(.noConflict) { _ = try await desktop.vault(Operations.settle, "a", choice) }
    }

    @Test(arguments: ConflictChoice.allCases)
    func `a name that means another secret is refused to programs until it is settled`(
        choice: ConflictChoice
    ) async throws {
        let line = Line()
        let (laptop, desktop) = try await pair(line)
        try await laptop.set("db", "of laptop")
        try await desktop.set("db", "of desktop")
        try await laptop.sync(line)
        #expect(try await desktop.sync(line).renamed == ["db": "db-2"])
        #expect(try await desktop.get("db") == "of laptop")
        #expect(try await desktop.vault.credentialValue(CredentialReference("db")).renamedAt != nil)
        let reference = CredentialReference("db")
        await #expect(throws: VaultError.secret(.unresolved(index: 0, .nameMeansOther))) {
            _ = try await desktop.vault.credentialValues([reference])
        }
        #expect(try await laptop.vault.credentialValues([reference]).count == 1)
        let found = try await desktop.vault(Operations.conflicts)
        #expect(found.map(\.name) == ["db"] && found.map(\.other) == ["db-2"])
        _ = try await desktop.vault(Operations.settle, choice == .mine ? "db-2" : "db", choice)
        #expect(try await desktop.vault.credentialValues([reference]).count == 1)
        try await desktop.sync(line)
        try await laptop.sync(line)
        for machine in [laptop, desktop] {
            #expect(try await machine.get("db") == (choice == .mine ? "of desktop" : "of laptop"))
            #expect(try await machine.get("db-2") == (choice == .mine ? "of laptop" : "of desktop"))
        }
    }

    @Test(arguments: [ConflictChoice.mine, .theirs])
    func `a secret that was changed here and deleted elsewhere stays, or goes`(
        choice: ConflictChoice
    ) async throws {
        let line = Line()
        let (laptop, desktop) = try await pair(line)
        _ = try await laptop.vault(Operations.removeCredential, "a", .any)
        try await laptop.sync(line)
        try await desktop.sync(line)
        _ = try await desktop.vault(Operations.restoreCredential, "a")
        for day in 0..<60 {
            laptop.clock.advance(by: 86_400)
            try await laptop.set("b", "\(day)")
        }
        _ = try await laptop.vault(Operations.removeCredential, "b", .any)
        try await laptop.sync(line)
        #expect(try await desktop.sync(line).removedElsewhere == ["a"])
        let found = try await desktop.vault(Operations.conflicts)
        #expect(found.map(\.name) == ["a"] && found.map(\.reason) == ["removedElsewhere"])
        _ = try await desktop.vault(Operations.settle, "a", choice)
        #expect(try await desktop.vault(Operations.conflicts).isEmpty)
        let listed = try await desktop.vault.credentials().map(\.name)
        #expect(listed == (choice == .mine ? ["a"] : []))
    }

    @Test(arguments: [true, false])
    func `a new value beside a removal stays in use on both machines`(isRemovedFirst: Bool) async throws {
        let line = Line()
        let (laptop, desktop) = try await pair(line)
        let (remover, changer) = isRemovedFirst ? (laptop, desktop) : (desktop, laptop)
        _ = try await remover.vault(Operations.removeCredential, "a", .any)
        changer.clock.advance(by: 5)
        try await changer.set("a", "new")
        try await laptop.sync(line)
        #expect(try await desktop.sync(line).conflicts == ["a"])
        try await laptop.sync(line)
        for machine in [laptop, desktop] { #expect(try await machine.get("a") == "new") }
    }
}
