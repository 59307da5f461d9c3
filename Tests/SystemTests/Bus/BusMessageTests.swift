import MessageBus
import Testing

@Suite(.timeLimit(.minutes(5))) struct BusMessageTests {
    @Test func `every kind of content arrives as it was sent`() throws {
        let pair = try BusPair()
        let call = try pair.call("All") { call in
            call.put("text")
            call.put(true)
            call.put(UInt32(7))
            call.put(paths: ["/a", "/b/c"])
            call.put(pairs: ["b": "2", "a": ""])
            unsafe call.put([UInt8]([0, 255, 1]).span.bytes)
            call.variant("s") { call.put("within") }
        }
        var seen: [Bool] = []
        let reply = try pair.exchange(call) { call in
            seen.append(call.signature == "sbuaoa{ss}ayv")
            seen.append(call.text() == "text")
            seen.append(call.bool() == true)
            seen.append(call.number() == 7)
            seen.append(call.texts("o", limit: 2) == ["/a", "/b/c"])
            seen.append(call.pairs(limit: 2) == ["a": "", "b": "2"])
            seen.append(call.bytes { $0.byteCount } == 3)
            seen.append(call.nextVariant == "s")
            seen.append(call.enter("v", "s") && call.text() == "within")
            pair.server.answer(call) { $0.put("done") }
        }
        #expect(seen == Array(repeating: true, count: 9))
        #expect(reply.text() == "done")
        #expect(!reply.isError)
    }

    @Test func `empty lists are lists`() throws {
        let pair = try BusPair()
        let call = try pair.call("Empty") { call in
            call.put(paths: [])
            call.put(pairs: [:])
            unsafe call.put([UInt8]().span.bytes)
            call.put("last")
        }
        var seen: [Bool] = []
        _ = try pair.exchange(call) { call in
            seen.append(call.texts("o", limit: 0) == [])
            seen.append(call.pairs(limit: 0) == [:])
            seen.append(call.bytes { $0.byteCount } == 0)
            seen.append(call.text() == "last")
            pair.server.answer(call)
        }
        #expect(seen == [true, true, true, true])
    }

    @Test func `a list above its limit is none, nor is one with a name twice`() throws {
        let pair = try BusPair()
        let call = try pair.call("Many") { call in
            call.put(paths: ["/a", "/b", "/c"])
        }
        let twice = try pair.call("Twice") { call in
            call.container("a", "{ss}") {
                for value in ["1", "2"] {
                    call.container("e", "ss") {
                        call.put("name")
                        call.put(value)
                    }
                }
            }
        }
        var seen: [Bool] = []
        _ = try pair.exchange(call) { call in
            seen.append(call.texts("o", limit: 2) == nil)
            pair.server.answer(call)
        }
        _ = try pair.exchange(twice) { call in
            seen.append(call.pairs(limit: 9) == nil)
            pair.server.answer(call)
        }
        #expect(seen == [true, true])
    }

    @Test func `a read of another type reads nothing`() throws {
        let pair = try BusPair()
        var seen: [Bool] = []
        _ = try pair.exchange(try pair.call("Text") { $0.put("text") }) { call in
            seen.append(call.number() == nil)
            seen.append(call.bool() == nil)
            seen.append(call.bytes { $0.byteCount } == nil)
            seen.append(call.texts(limit: 9) == nil)
            seen.append(call.nextVariant == nil)
            seen.append(call.text() == "text")
            pair.server.answer(call)
        }
        #expect(seen == Array(repeating: true, count: 6))
    }

    @Test func `what cannot be written is never sent`() throws {
        let pair = try BusPair()
        let call = try pair.call("Broken") { $0.put("no path", "o") }
        #expect(call.isBroken)
        #expect(pair.client.begin(call) == nil)
        let reply = try pair.exchange(try pair.call("Whole")) { call in
            pair.server.answer(call) { $0.put("no path", "o") }
        }
        #expect(reply.errorName == BusError.failed.name)
    }

    @Test func `a size is that of everything in a message, and is taken without reading it away`() throws {
        let pair = try BusPair()
        let call = try pair.call("Sized") { call in
            call.put(String(repeating: "x", count: 1_000))
            call.variant("a{sv}") {
                call.container("a", "{sv}") {
                    call.container("e", "sv") {
                        call.put("name")
                        call.variant("ay") {
                            unsafe call.put([UInt8](repeating: 7, count: 2_000).span.bytes)
                        }
                    }
                }
            }
            call.put(paths: (0..<100).map { "/path/\($0)" })
            call.put(UInt64(1))
        }
        var (sizes, text): ([Int?], String?) = ([], nil)
        _ = try pair.exchange(call) { call in
            let size = call.size(limit: 1 << 20) ?? 0
            sizes = [size, call.size(limit: size), call.size(limit: size - 1), call.size(limit: 100)]
            text = call.text()
            pair.server.answer(call)
        }
        let size = try #require(sizes[0])
        #expect((4_900...6_100).contains(size))
        #expect(sizes[1...] == [size, nil, nil])
        #expect(text == String(repeating: "x", count: 1_000))
    }

    @Test func `a message without content has the size of its header, and deep ones have more`() throws {
        let pair = try BusPair()
        let deep = try pair.call("Deep") { call in
            func nest(_ depth: Int) {
                guard depth > 0 else { return call.put("end") }
                call.variant(depth > 1 ? "v" : "s") { nest(depth - 1) }
            }
            nest(30)
        }
        var sizes: [Int?] = []
        for call in [try pair.call("Empty"), deep] {
            _ = try pair.exchange(call) { call in
                sizes.append(call.size(limit: 2_000))
                pair.server.answer(call)
            }
        }
        #expect((1_024...1_100).contains(try #require(sizes[0])))
        #expect((1_100...1_400).contains(try #require(sizes[1])))
    }
}
