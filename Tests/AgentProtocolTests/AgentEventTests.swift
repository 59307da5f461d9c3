import Testing
import VaultKit

@testable import AgentProtocol

/// What the agent tells beside an answer, as it travels.
@Suite struct AgentEventTests {
    private func places(_ count: Int, _ collection: String = "login") -> [ItemPlace] {
        (0..<count).map { ItemPlace(collection: collection, id: "\($0)") }
    }

    @Test func `news of items are read as they were written`() throws {
        let news = [
            ItemNews(), ItemNews(made: places(2)), ItemNews(changed: places(1, "a/b \u{E9}")),
            ItemNews(made: places(1), changed: places(2), removed: places(3)),
            ItemNews(removed: places(1_000)), nil,
        ]
        for items in news {
            let event = AgentEvent(items)
            #expect(try AgentEvent(encoded: try event.encoded()) == event)
        }
    }

    @Test func `the lists are named by what became of the items`() throws {
        let event = AgentEvent(ItemNews(made: places(1), removed: places(1, "work")))
        let text = String(decoding: try event.encoded(), as: UTF8.self)
        #expect(text.contains(#""created":["login/0"]"#) && text.contains(#""deleted":["work/0"]"#))
        #expect(!text.contains("changed") && !text.contains("all"))
        #expect(String(decoding: try AgentEvent(nil).encoded(), as: UTF8.self).contains(#""all":true"#))
    }

    @Test func `more than may be named are all of them`() throws {
        #expect(ItemNews(made: places(600), changed: places(401)) == nil)
        // Fewer, which have no room in one frame.
        let long = String(repeating: "\u{1F511}", count: 50)
        let event = AgentEvent(
            ItemNews(
                made: (0..<1_000).map {
                    ItemPlace(collection: long, id: "x\($0)_" + String(repeating: "a", count: 58))
                }
            )
        )
        let read = try AgentEvent(encoded: try event.encoded())
        #expect(read.event == .items && read.items == nil)
    }

    @Test(arguments: [
        #"{"event":"items","created":["login"]}"#, #"{"event":"items","created":["login/a b"]}"#,
        #"{"event":"items","created":["/a"]}"#, #"{"event":"items","changed":"login/a"}"#,
        #"{"event":"items","deleted":[1]}"#, #"{"event":"items","all":1}"#,
    ]) func `places that no item can have are no frame of this protocol`(_ text: String) {
        #expect(throws: FrameError.malformed) { try AgentEvent(encoded: Array(text.utf8)) }
    }

    @Test func `a client hears at which terminal a person is asked`() throws {
        let event = AgentEvent(askingAt: .terminal, "/dev/pts/0")
        #expect(
            String(decoding: try event.encoded(), as: UTF8.self)
                == #"{"event":"asking","place":"terminal","at":"/dev/pts/0"}"#
        )
        #expect(try AgentEvent(encoded: try event.encoded()) == event)
    }

    @Test func `other events have no news of items`() throws {
        for name in [AgentEvent.Name.opened, .locked, .waiting, .rootPutBack] {
            #expect(try AgentEvent(encoded: try AgentEvent(event: name).encoded()) == AgentEvent(event: name))
        }
    }
}
