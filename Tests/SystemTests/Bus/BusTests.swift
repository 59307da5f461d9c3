import Glibc
import MessageBus
import Testing

@Suite(.timeLimit(.minutes(5))) struct BusTests {
    @Test func `a name that is taken stays with its owner`() throws {
        let pair = try BusPair()
        #expect(pair.client.own(BusPair.name) == .taken)
        #expect(pair.client.process(of: BusPair.name) == getpid())
        #expect(pair.client.process(of: "io.hsip.Nobody") == nil)
    }

    @Test func `a refusal arrives under its name, with its text`() throws {
        let pair = try BusPair()
        let reply = try pair.exchange(try pair.call("Any")) { call in
            pair.server.refuse(call, .accessDenied, "not you")
        }
        #expect(reply.isError)
        #expect(reply.errorName == "org.freedesktop.DBus.Error.AccessDenied")
        #expect(reply.text() == "not you")
    }

    @Test func `the bus says who sent a call`() throws {
        let pair = try BusPair()
        var sender: String?
        _ = try pair.exchange(try pair.call("Any")) { call in
            sender = call.sender
            pair.server.answer(call)
        }
        #expect(sender == pair.client.ownName)
        #expect(sender?.hasPrefix(":") == true)
    }

    @Test func `a signal to one connection is heard by that one`() throws {
        let pair = try BusPair()
        let name = try #require(pair.client.ownName)
        let signal = try #require(
            BusMessage(signalOf: pair.server, "/io/hsip", "io.hsip.Test", "Changed", to: name)
        )
        signal.put("news")
        #expect(pair.server.send(signal))
        let heard = try pair.next(pair.client) { $0.isSignal("io.hsip.Test", "Changed") }
        #expect(heard.text() == "news")
        #expect(heard.path == "/io/hsip")
    }

    @Test func `calls may be answered late, and in any order`() throws {
        let pair = try BusPair()
        let first = try #require(pair.client.begin(try pair.call("First")))
        let second = try #require(pair.client.begin(try pair.call("Second")))
        let one = try pair.next(pair.server) { $0.isCall }
        let two = try pair.next(pair.server) { $0.isCall }
        pair.server.answer(two) { $0.put("second") }
        pair.server.answer(one) { $0.put("first") }
        #expect(try pair.next(pair.client) { $0.answers == second }.text() == "second")
        #expect(try pair.next(pair.client) { $0.answers == first }.text() == "first")
    }
}
