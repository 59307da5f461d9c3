import HSIP
import RecordStore
import Testing
import Text
import VaultCrypto
import VaultKit

@testable import AgentProtocol

@Suite struct FrameTests {
    @Test(arguments: FrameKind.allCases) func `a header is read as it was written`(_ kind: FrameKind) throws {
        for count in Set([0, kind.limit]) {
            let header = FrameHeader(kind, request: 0xFFFF_FFFE, count: count)
            #expect(try FrameHeader(header.encoded) == header)
        }
        let more = FrameHeader(kind, request: 1, count: kind.limit + 1)
        #expect(throws: FrameError.tooLong) { try FrameHeader(more.encoded) }
    }

    @Test func `a header is the length of what follows it, the kind and the number`() {
        #expect(FrameHeader(.request, request: 0x0102_0304, count: 3).encoded == [0, 0, 0, 8, 1, 1, 2, 3, 4])
    }

    /// What a message is after it has travelled, with its secrets before it.
    static func carried<Message: Codable>(_ message: Message, request: UInt32 = 1) throws -> Message {
        var pending = PendingFrames()
        let frames = try Frame.message(.answer, request: request, message)
        for frame in frames.dropLast() { pending.take(frame) }
        return try #require(frames.last).message(Message.self, secrets: pending.secrets)
    }

    /// The message of the frame with the number 0 and this text.
    static func read<Message: Decodable>(_ type: Message.Type, _ json: String) throws(FrameError) -> Message {
        try Frame(.request, request: 0, Array(json.utf8)).message(type)
    }

    @Test(
        arguments: [
            AgentRequest.status, .lock(), .stop, .terminal, .unlock(source: .ask),
            .unlock(source: .given, seconds: 60), .unlock(source: .given, slot: 3),
            .blocked(clears: false), .blocked(clears: true),
            .call(operation: "contacts"),
            .call(
                operation: "item.get",
                for: Behalf(bus: ":1.42", pid: 4_711, start: .max, label: "snap.x.y")
            ),
            .unlock(source: .ask, for: Behalf(bus: ":1.7", pid: 2, start: 0)),
            .lock(for: Behalf(bus: ":1.7", pid: 2, start: 0, mayAsk: false, isPlain: true, mayOpen: false)),
        ]
    ) func `a request is read as it was written`(_ request: AgentRequest) throws {
        #expect(try Self.carried(request) == request)
    }

    @Test func `a request is a map with its name, and of its fields those that have a value`() throws {
        let frames = try Frame.message(.request, request: 7, AgentRequest.unlock(source: .ask, seconds: 60))
        let bytes: [UInt8] =
            [0xA1, 0x66] + Array("unlock".utf8) + [0xA2, 0x67] + Array("seconds".utf8) + [0x18, 60]
            + [0x66] + Array("source".utf8) + [0x63] + Array("ask".utf8)
        #expect(frames.map(\.plain) == [bytes])
        #expect(frames.map(\.kind) == [.request] && frames.map(\.request) == [7])
    }

    @Test(
        arguments: [
            AgentReply.done, .answer, .blocked(programs: [], refused: 0),
            .blocked(
                programs: [
                    BlockedProgram(program: "/usr/bin/a", items: 2, seconds: 599),
                    BlockedProgram(program: "process 7", items: nil, seconds: 1_800),
                ],
                refused: 12
            ),
            .status(AgentStatus(isLocked: true, vault: "vault", pid: 7, program: "hsip-agent 1")),
        ]
    ) func `a reply is read as it was written`(_ reply: AgentReply) throws {
        #expect(try Self.carried(reply) == reply)
    }

    @Test(
        arguments: [
            AgentError.refused(.locked), .refused(.vaultGone), .vault(.noIdentity),
            .vault(.store(.io(code: 5))),
            .vault(.store(.unsafeFile(path: "/a", .wrongType))), .vault(.hsip(.codeFromFuture(seconds: 9))),
            .vault(.hsip(.rekeyRequired(code: "ROTATE"))), .vault(.ssh(.hostKeyChanged)),
        ]
    ) func `an error is read as it was written, with what it holds`(_ error: AgentError) throws {
        #expect(try Self.carried(error) == error)
    }

    @Test func `an error that is of the client alone travels as its name`() throws {
        guard case .refused(let refusal) = try Self.carried(AgentError.noAgent) else {
            throw FrameError.malformed
        }
        #expect(refusal.name == "noAgent")
    }

    @Test(arguments: ["", #","cause":null"#, #","cause":"zz""#, #","cause":{"foo":{}}"#])
    func `an error of the vault that only another version has is shown by its name`(_ more: String) throws {
        let text = #"{"error":{"exitCode":3,"name":"noIdentity","message":"none yet"}\#(more)}"#
        #expect(try Self.read(AgentError.self, text) == .refused(Refusal(3, "noIdentity", "none yet")))
    }

    @Test(arguments: [
        "{}", #"{"error":null}"#, #"{"error":{"exitCode":"3","name":"a","message":"b"}}"#,
        #"{"error":{"exitCode":3,"name":"a"}}"#,
        #"{"error":{"exitCode":99999999999,"name":"a","message":"b"}}"#,
    ]) func `what is no error is no frame of this protocol`(_ text: String) {
        #expect(throws: FrameError.malformed) { try Self.read(AgentError.self, text) }
    }

    @Test func `questions, answers and events are read as they were written`() throws {
        let asked = Question(.passphrase, title: "Passphrase", lines: ["a", "b\n"], attempt: 2, remember: 60)
        for question in [asked, Question(.confirm, title: "")] {
            #expect(try Self.carried(question) == question)
        }
        guard case .yes(remember: 600) = try Self.carried(Answer.yes(remember: 600)),
            case .yes(remember: nil) = try Self.carried(Answer.yes(remember: nil)),
            case .late = try Self.carried(Answer.late),
            case .passphrase(let secret) = try Self.carried(
                Answer.passphrase(Secret(copying: [7, 8] as [UInt8]))
            )
        else { throw FrameError.malformed }
        #expect(secret.withBytes { $0.copied() } == [7, 8])
        #expect(
            try Self.read(AgentEvent.self, #"{"event":"waiting","new":[1.5]}"#) == AgentEvent(event: .waiting)
        )
        #expect(throws: FrameError.malformed) { try Self.read(Question.self, #"{"kind":"confirm"}"#) }
        #expect(throws: FrameError.malformed) { try Self.read(Answer.self, #"{"maybe":{}}"#) }
    }

    @Test func `a passphrase without its secret is no answer`() throws {
        let secret = try Secret(copying: [7] as [UInt8])
        let frame = try #require(Frame.message(.answer, request: 1, Answer.passphrase(secret)).last)
        #expect(
            frame.plain == [0xA1, 0x6A] + Array("passphrase".utf8) + [
                0xA1, 0x62, 0x5F, 0x30, 0xD9, 0x80, 0, 0,
            ]
        )
        #expect(throws: FrameError.malformed) { try frame.message(Answer.self) }
    }

    @Test func `a hello takes only the variables that it knows`() {
        let hello = Hello(
            program: "hsip 1",
            environment: ["DISPLAY": ":0", "LD_PRELOAD": "/x", "PATH": "/y"]
        )
        #expect(hello.environment == ["DISPLAY": ":0"])
    }

    @Test func `a status is read as it was written, with everything in it`() throws {
        var status = AgentStatus(isLocked: false, vault: "/v \u{7F}é", pid: 7, program: "hsip-agent 1")
        status.protocol = 2
        status.vaultID = "00ff"
        status.backend = "file"
        status.idleSeconds = 900
        status.absoluteSeconds = 0
        status.hooks = ["sleep", "screen"]
        status.hardening = ["no core"]
        status.memoryLimit = 1 << 40
        status.isMemoryLocked = false
        status.controlSocket = "/run/c"
        status.sshSocket = "/run/s"
        status.sshKeys = 100
        status.questions = .terminal
        status.questionsAt = "/dev/pts/1"
        status.connections = 3
        (status.refused.afterNo, status.refused.afterWindow) = (1, 2)
        (status.refused.tooOften, status.refused.tooMany, status.plainPrograms) = (3, 4, 5)
        status.warnings = ["a \"b\"", ""]
        #expect(try Self.carried(AgentReply.status(status)) == .status(status))
    }

    @Test(arguments: [nil, true, false]) func `a hello is JSON, and read as it was written`(_ isLocked: Bool?)
        throws
    {
        var hello = Hello(program: "hsip-agent 1", vault: "/v/\u{1}\"é", features: ["a"])
        (hello.asks, hello.environment, hello.isLocked) = (.terminal, ["DISPLAY": ":0"], isLocked)
        for (kind, word) in [(FrameKind.request, "request"), (.reply, "reply")] {
            let frame = try #require(hello.frames(kind).first)
            #expect(String(decoding: frame.plain, as: UTF8.self).contains(#""\#(word)":"hello""#))
            #expect(try frame.message(Greeting.self).hello == hello)
        }
    }

    @Test func `in a hello a field that is not known is passed over, and one that is missing is empty`()
        throws
    {
        let hello = #"{"protocol":\#(Hello.version),"program":"x","new":[-1,{}]}"#
        let text = #"{"request":"hello","hello":\#(hello),"more":true}"#
        #expect(try Self.read(Greeting.self, text).hello == Hello(program: "x"))
    }

    @Test func `of a hello of another version nothing but that is read`() throws {
        let text = #"{"request":"hello","hello":{"protocol":99,"program":7,"asks":"me","environment":[]}}"#
        let hello = try Self.read(Greeting.self, text).hello
        #expect(hello.protocol == 99 && hello.program.isEmpty)
    }

    @Test(
        arguments: [
            "", "x", "[]", "{}", #"{"hello":{}}"#,
            #"{"request":"hello","hello":{"protocol":1.5,"program":"x"}}"#,
            #"{"hello":{"protocol":\#(Hello.version),"program":"x","asks":"me"}}"#,
            #"{"hello":{"protocol":\#(Hello.version),"program":"x","environment":{"LANG":1}}}"#,
            #"{"hello":{"protocol":\#(Hello.version),"program":"x","features":"all"}}"#,
            #"{"hello":{"protocol":\#(Hello.version),"program":"x"},"hello":{}}"#,
            String(repeating: "[", count: 100_000),
            "[" + String(repeating: "0,", count: 5_000) + "0]",
            #"{"hello":{"protocol":1,"program":"x"}"#,
        ]
    ) func `what is no hello is malformed`(_ text: String) {
        #expect(throws: FrameError.malformed) { try Self.read(Greeting.self, text) }
    }

    @Test(
        arguments: [
            .map([:]), .text("status"), .list([]), .null, .map(["nothing": .map([:])]),
            .map(["status": .null]), .map(["status": .map([:]), "stop": .map([:])]),
            .map(["call": .map([:])]), .map(["unlock": .map(["source": .text("x")])]),
            .map(["unlock": .map(["source": .text("ask"), "seconds": .text("1")])]),
            .map(["unlock": .map(["source": .text("ask"), "seconds": .unsigned(.max)])]),
            .map(["call": .map(["operation": .secret(0)])]),
            .map(["call": .map(["operation": .bytes([0x61])])]),
        ] as [CallValue]
    ) func `what is no request is malformed`(_ value: CallValue) {
        let frame = Frame(.request, request: 1, value.encoded)
        #expect(throws: FrameError.malformed) { try frame.message(AgentRequest.self) }
    }

    @Test func `in a message a field that is not known is passed over`() throws {
        let call = CallValue.map(["operation": .text("a"), "new": .list([.negative(3)])])
        let value = CallValue.map(["call": call, "more": .null])
        let frame = Frame(.request, request: 1, value.encoded)
        #expect(try frame.message(AgentRequest.self) == .call(operation: "a"))
    }

    @Test func `a message has a limit of bytes and of values`() throws {
        let long = String(repeating: "x", count: FrameLimits.message)
        #expect(throws: FrameError.tooLong) {
            try Frame.message(.question, request: 1, Question(.confirm, title: long))
        }
        let lines = [String](repeating: "", count: FrameLimits.values)
        let frame = try #require(
            Frame.message(.question, request: 1, Question(.confirm, title: "", lines: lines)).last
        )
        #expect(throws: FrameError.malformed) { try frame.message(Question.self) }
    }

    @Test func `every cut and every changed byte of a message is read or refused`() throws {
        let behalf = Behalf(bus: ":1.42", pid: 4_711, start: 1 << 40, label: "a")
        let request = try Frame.message(.request, request: 1, AgentRequest.unlock(source: .ask, for: behalf))
        let bytes = try #require(request.last).plain
        for index in bytes.indices {
            for change in [1, 0x20, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] ^= change
                let frame = Frame(.request, request: 1, changed)
                // What is read is written as it was, but for fields that are not known.
                if let read = try? frame.message(AgentRequest.self) {
                    #expect(try Self.carried(read) == read)
                }
            }
            #expect(throws: FrameError.malformed) {
                try Frame(.request, request: 1, Array(bytes.prefix(index))).message(AgentRequest.self)
            }
        }
    }

    @Test func `data is cut into frames and joined again, within its limit`() throws {
        let data = (0..<(FrameLimits.bytes + 3)).map { UInt8(truncatingIfNeeded: $0) }
        let secret = try Secret(copying: [7, 8] as [UInt8])
        let frames = try PendingFrames.frames(secrets: [secret], data: data, request: 4)
        #expect(frames.map(\.kind) == [.bytes, .data, .data])
        var pending = PendingFrames()
        for frame in frames { pending.take(frame) }
        #expect(pending.data == data)
        #expect(pending.secrets.map { $0.withBytes { $0.copied() } } == [[7, 8]])
        let much = [UInt8](repeating: 0, count: FrameLimits.whole + 1)
        #expect(throws: FrameError.tooMuch) { try PendingFrames.frames(secrets: [], data: much, request: 4) }
    }
}
