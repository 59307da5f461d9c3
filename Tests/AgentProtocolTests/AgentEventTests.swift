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
            #expect(try FrameTests.carried(event) == event)
        }
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
        #expect(try event.frames(0).map { try $0.message(AgentEvent.self) } == [AgentEvent(nil)])
    }

    @Test(arguments: [#"["login"]"#, #"["login/a b"]"#, #"["/a"]"#, #""login/a""#, "[1]", "1"])
    func `places that no item can have are no frame of this protocol`(_ places: String) throws {
        for (places, isGood) in [(#"["login/a"]"#, true), (places, false)] {
            let text = #"{"event":"items","items":{"made":[],"changed":\#(places),"removed":[]}}"#
            #expect(((try? FrameTests.read(AgentEvent.self, text)) != nil) == isGood)
        }
    }

    @Test func `a client hears at which terminal a person is asked`() throws {
        let event = AgentEvent(askingAt: .terminal, "/dev/pts/0")
        #expect(try FrameTests.carried(event) == event)
    }

    @Test func `other events have no news of items`() throws {
        for name in [AgentEvent.Name.opened, .locked, .waiting, .rootPutBack] {
            #expect(try FrameTests.carried(AgentEvent(event: name)) == AgentEvent(event: name))
        }
    }
}
