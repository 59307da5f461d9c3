import AgentProtocol
import CLinux
import Glibc
import Testing
import Text

@Suite struct BehalfTests {
    private static let whole: [String: CallValue] = [
        "bus": .text(":1.1"), "pid": .unsigned(1), "start": .unsigned(1), "ask": .bool(true),
        "plain": .bool(false),
        "open": .bool(true),
    ]

    private static func behalf(_ value: CallValue) throws -> Behalf? {
        let call = CallValue.map(["call": .map(["operation": .text("item.get"), "for": value])])
        return try Frame(.request, request: 1, call.encoded).message(AgentRequest.self).behalf
    }

    @Test(
        arguments: [
            ("bus", .text("com.example")), ("bus", .text(":" + String(repeating: "1", count: 255))),
            ("bus", nil),
            ("pid", .unsigned(0)), ("pid", .negative(3)), ("pid", .unsigned(4_294_967_297)),
            ("start", .negative(0)),
            ("start", nil), ("label", .unsigned(7)), ("label", .text(String(repeating: "a", count: 256))),
            ("ask", .text("no")), ("open", nil),
        ] as [(String, CallValue?)]
    )
    func `a program that is not named in full is none`(field: String, value: CallValue?) throws {
        #expect(try Self.behalf(.map(Self.whole)) == Behalf(bus: ":1.1", pid: 1, start: 1))
        var fields = Self.whole
        fields[field] = value
        #expect(throws: FrameError.malformed) { try Self.behalf(.map(fields)) }
    }

    @Test func `a call for nobody is a call of its own`() throws {
        #expect(try Self.behalf(.null) == nil)
        #expect(throws: FrameError.malformed) { try Self.behalf(.text("x")) }
    }

    @Test func `a process is known by when it began`() throws {
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        #expect(mine.start > 0)
        #expect(Behalf(bus: ":1.1", process: getpid(), label: nil) == mine)
        #expect(Behalf(bus: ":1.1", process: 0, label: nil) == nil)
    }

    @Test func `a call that must not ask says so, and every other one may`() throws {
        let program = Behalf(bus: ":1.1", pid: 7, start: 9, label: "snap.a.b")
        for behalf in [program, program.unasked] {
            let request = AgentRequest.call(operation: "item.get", for: behalf)
            #expect(try FrameTests.carried(request).behalf == behalf)
        }
        #expect(program.mayAsk)
        #expect(!program.unasked.mayAsk)
    }

    @Test func `a descriptor of the bus says whether the number is still that of the process`() throws {
        let mine = hsip_process_open(getpid())
        try #require(mine >= 0)
        defer { close(mine) }
        let known = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: mine, label: nil) == known)
        // The number of another process that runs, and what is no such descriptor.
        #expect(Behalf(bus: ":1.1", process: getppid(), descriptor: mine, label: nil) == nil)
        let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: file, label: nil) == nil)
        #expect(Behalf(bus: ":1.1", process: getpid(), descriptor: -1, label: nil) == nil)
    }
}
