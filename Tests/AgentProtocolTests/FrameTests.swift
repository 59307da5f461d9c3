import AgentProtocol
import HSIP
import RecordStore
import Testing
import VaultCrypto
import VaultKit

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

    @Test(
        arguments: [
            AgentRequest.status, .lock, .stop, .terminal, .unlock(Unlocking(.ask)),
            .unlock(Unlocking(.given, seconds: 60)), .blocked(clears: false), .blocked(clears: true),
            .call(operation: "contacts"),
            .call(
                operation: "item.get",
                for: Behalf(bus: ":1.42", pid: 4_711, start: 8_812_345, label: "snap.x.y")
            ),
            .unlock(Unlocking(.ask, for: Behalf(bus: ":1.7", pid: 2, start: 0))), .lock,
            .lockFor(Behalf(bus: ":1.7", pid: 2, start: 0, mayAsk: false, isPlain: true, mayOpen: false)),
            .hello(Hello(program: "hsip 1", vault: "/v", asks: .terminal, environment: ["DISPLAY": ":0"])),
        ]
    ) func `a request is read as it was written`(_ request: AgentRequest) throws {
        #expect(try AgentRequest(encoded: try request.encoded()) == request)
    }

    @Test(
        arguments: [
            AgentReply.done, .answer, .hello(Hello(program: "hsip-agent 1")), .blocked([], refused: 0),
            .blocked(
                [
                    BlockedProgram(program: "/usr/bin/a", items: 2, seconds: 599),
                    BlockedProgram(program: "process 7", items: nil, seconds: 1_800),
                ],
                refused: 12
            ),
            .status(AgentStatus(isLocked: true, vault: "vault", pid: 7, program: "hsip-agent 1")),
        ]
    ) func `a reply is read as it was written`(_ reply: AgentReply) throws {
        #expect(try AgentReply(encoded: try reply.encoded()) == reply)
    }

    @Test(
        arguments: [
            AgentError.refused(.locked), .refused(.vaultGone), .vault(.noIdentity),
            .vault(.store(.io(code: 5))),
            .vault(.store(.unsafeFile(path: "/a", .wrongType))), .vault(.hsip(.codeFromFuture(seconds: 9))),
            .vault(.hsip(.rekeyRequired(code: "ROTATE"))), .vault(.ssh(.hostKeyChanged)),
        ]
    ) func `an error is read as it was written, with what it holds`(_ error: AgentError) throws {
        #expect(try AgentError(encoded: try error.encoded()) == error)
    }

    @Test(arguments: [
        "", #","cause":null"#, #","cause":"zz""#, #","cause":"a0""#, #","cause":"a163666f6fa0""#,
        #","vault":{"noIdentity":{}}"#,
    ]) func `an error of the vault in an encoding of another version is shown by its name`(_ more: String)
        throws
    {
        let text = #"{"error":{"exitCode":3,"name":"noIdentity","message":"none yet"}\#(more)}"#
        let error = try AgentError(encoded: Array(text.utf8))
        #expect(error == .refused(Refusal(3, "noIdentity", "none yet")))
    }

    @Test(arguments: [
        "{}", #"{"error":null}"#, #"{"error":{"exitCode":"3","name":"a","message":"b"}}"#,
        #"{"error":{"exitCode":3,"name":"a"}}"#,
        #"{"error":{"exitCode":3,"name":"a","message":"b"},"cause":1}"#,
        #"{"error":{"exitCode":99999999999,"name":"a","message":"b"}}"#,
    ]) func `what is no error is no frame of this protocol`(_ text: String) {
        #expect(throws: FrameError.malformed) { try AgentError(encoded: Array(text.utf8)) }
    }

    @Test func `questions, answers and events are read as they were written`() throws {
        let asked = Question(.passphrase, title: "Passphrase", lines: ["a", "b\n"], attempt: 2, remember: 60)
        for question in [asked, Question(.confirm, title: "")] {
            #expect(try Question(encoded: try question.encoded()) == question)
        }
        for answer in [AnswerText(answer: .yes, remember: 600), AnswerText(answer: .late)] {
            #expect(try AnswerText(encoded: try answer.encoded()) == answer)
        }
        #expect(
            try AgentEvent(encoded: Array(#"{"event":"waiting","new":[1]}"#.utf8))
                == AgentEvent(event: .waiting)
        )
        #expect(throws: FrameError.malformed) { try Question(encoded: Array(#"{"kind":"confirm"}"#.utf8)) }
        #expect(throws: FrameError.malformed) { try AnswerText(encoded: Array(#"{"answer":"maybe"}"#.utf8)) }
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
        #expect(try AgentReply(encoded: try AgentReply.status(status).encoded()) == .status(status))
    }

    @Test(arguments: [nil, true, false]) func `an agent says in its greeting whether it is locked`(
        _ isLocked: Bool?
    ) throws {
        var hello = Hello(program: "hsip-agent 1", vault: "/v/\u{1}\"é", features: ["a"])
        hello.isLocked = isLocked
        #expect(try AgentReply(encoded: try AgentReply.hello(hello).encoded()) == .hello(hello))
    }

    @Test func `a field that is not known is passed over, one that is missing is empty`() throws {
        let hello = #"{"protocol":\#(Hello.version),"program":"x","new":[1]}"#
        let text = #"{"request":"hello","hello":\#(hello),"more":true}"#
        let request = try AgentRequest(encoded: Array(text.utf8))
        #expect(request == .hello(Hello(program: "x")))
    }

    @Test(
        arguments: [
            "", "x", "[]", "{}", #"{"request":1}"#, #"{"request":"call"}"#,
            #"{"request":"unlock","source":"x"}"#,
            #"{"request":"hello"}"#, #"{"request":"hello","hello":{"protocol":1.5,"program":"x"}}"#,
            #"{"request":"hello","hello":{"protocol":1,"program":"x","asks":"me"}}"#,
            #"{"request":"hello","hello":{"protocol":1,"program":"x","environment":{"LANG":1}}}"#,
            #"{"request":"hello","hello":{"protocol":1,"program":"x","features":"all"}}"#,
            #"{"request":"status","request":"stop"}"#, String(repeating: "[", count: 100_000),
            #"{"request":"status""#,
        ]
    ) func `what is no request is malformed`(_ text: String) {
        #expect(throws: FrameError.malformed) { try AgentRequest(encoded: Array(text.utf8)) }
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
