import Testing

@testable import AgentKit

@Suite struct ItemTicketsTests {
    @Test func `an answer that was given ahead is used once, by the connection that got it, in time`() {
        var tickets = ItemTickets()
        func use(_ item: String, by connection: String, at moment: UInt64) -> Bool {
            tickets.use(item, by: connection, at: moment)
        }
        tickets.add("1", for: ":1.5", seconds: 60, at: 100)
        #expect(!use("1", by: ":1.6", at: 101))
        #expect(!use("2", by: ":1.5", at: 101))
        #expect(use("1", by: ":1.5", at: 159))
        #expect(!use("1", by: ":1.5", at: 159))
        tickets.add("1", for: ":1.5", seconds: 60, at: 200)
        #expect(!use("1", by: ":1.5", at: 260))
    }
}
