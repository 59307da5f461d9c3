import AgentProtocol
import Audit
import Glibc
import ServiceFormats
import Support
import Testing
import VaultCrypto
import VaultPolicy

@testable import AgentKit
@testable import VaultKit

/// The gate for programs on the bus: this process is one.
struct GateItemTests {
    private let fixture: GateFixture
    private let program: BusCaller

    init() throws {
        fixture = try GateFixture()
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        program = try #require(BusCaller(mine))
    }

    @Test func `reads of an item again and again are one entry, and their number comes with the lock`()
        async throws
    {
        try await fixture.open()
        let id = try await store("x")
        for _ in 0..<50 { #expect(try await read(id) == "x") }
        let once = ["unlock allowed ", "change allowed ", "read allowed ownItem"]
        #expect(try await fixture.log() == once)
        await waiting { fixture.gate.vaultCloses(fixture.opened, .idle) }
        #expect(try await fixture.log() == once + ["read allowed ownItem:49more", "lock allowed idle"])
        await waiting { fixture.gate.vaultLocked(.idle) }
        try await fixture.open()
        #expect(try await read(id) == "x")
        #expect(try await fixture.log().suffix(2) == ["unlock allowed ", "read allowed ownItem"])
    }

    @Test func `without a log no value leaves, also where one was written a moment before`() async throws {
        try await fixture.open()
        let first = try await store("x")
        let second = try await store("y", ["n": "2"])
        #expect(try await read(first) == "x")
        await waiting { fixture.gate.vaultLocked(.idle) }
        for id in [first, second] {
            await #expect(throws: Refusal.locked) { _ = try await read(id) }
        }
    }

    // MARK: Steps

    private func store(_ value: String, _ attributes: [String: String] = ["n": "1"]) async throws -> String {
        let making = ItemMaking(
            collection: "login",
            label: "L",
            attributes: try ItemAttributes(
                attributes.map { .init(name: Array($0.key.utf8), value: Array($0.value.utf8)) }
            ),
            value: try Secret(copying: Array(value.utf8))
        )
        let caller = try await permitted(Operations.makeItem.request(making))
        return try await fixture.opened.vault.perform(Operations.makeItem, for: caller, making).place.id
    }

    private func read(_ id: String) async throws -> String? {
        let reading = ItemReading([id])
        let caller = try await permitted(Operations.itemGet.request(reading))
        let values = try await fixture.opened.vault.perform(Operations.itemGet, for: caller, reading).all()
        return values.first.map { $0.value.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
    }

    private func permitted(_ request: OperationRequest) async throws -> Caller {
        let (cancellation, gate, program) = (try Cancellation(), fixture.gate, program)
        return try await waiting { () -> Result<Caller, Refusal> in
            do throws(Refusal) {
                return .success(try gate.permit(request, for: program, cancellation))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
