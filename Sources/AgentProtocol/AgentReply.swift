internal import Text

/// What the agent answered; the JSON of a reply frame, `{"reply":"done"}`.
public enum AgentReply: Equatable, Sendable {
    /// The greeting of the agent.
    case hello(Hello)
    /// How it stands.
    case status(AgentStatus)
    /// Blocked programs on the bus, and how many of their questions were not asked.
    case blocked([BlockedProgram], refused: Int)
    /// It is done.
    case done
    /// What an operation answered: its result in the data frames before it, its secrets in the bytes frames.
    case answer
}

extension AgentReply {
    /// The JSON of a reply frame.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        switch self {
        case .hello(let hello):
            var json = Self.named("hello")
            json["hello"] = hello.json
            return try WireText.bytes(of: json)
        case .status(let status):
            var json = Self.named("status")
            json["status"] = status.json
            return try WireText.bytes(of: json)
        case .blocked(let programs, let refused):
            var json = Self.named("quiet")
            json["programs"] = .list(programs.map(\.json))
            json["refused"] = .number("\(refused)")
            return try WireText.bytes(of: json)
        case .done: return try WireText.bytes(of: Self.named("done"))
        case .answer: return try WireText.bytes(of: Self.named("answer"))
        }
    }

    /// The reply of a frame; fields that are not known are passed over.
    ///
    /// - Throws: `malformed` for anything that is no reply.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        switch try json.word("reply") {
        case "hello":
            guard let hello = json["hello"] else { throw .malformed }
            self = .hello(try Hello(hello))
        case "status":
            guard let status = json["status"] else { throw .malformed }
            self = .status(try AgentStatus(status))
        case "quiet":
            var programs: [BlockedProgram] = []
            for program in try json.items("programs").prefix(BlockedProgram.maximum) {
                programs.append(try BlockedProgram(program))
            }
            self = .blocked(programs, refused: try json.number("refused") ?? 0)
        case "done": self = .done
        case "answer": self = .answer
        default: throw .malformed
        }
    }

    private static func named(_ name: String) -> JSONValue {
        .object([JSONMember("reply", .text(name))])
    }
}

/// A program on the bus whose questions are blocked for a while, because the person refused earlier ones.
public struct BlockedProgram: Equatable, Sendable {
    /// Programs in one answer at most.
    public static let maximum = 256

    /// The program as the policy knows it; empty for those that cannot be told.
    public let program: String
    /// About how many items it is not asked; nil for all of them.
    public let items: Int?
    /// Seconds until the last of these can be asked about again.
    public let seconds: Int

    /// A blocked program.
    public init(program: String, items: Int?, seconds: Int) {
        self.program = program
        self.items = items
        self.seconds = seconds
    }

    var json: JSONValue {
        var json = JSONValue.object([])
        json["program"] = .text(program)
        json["items"] = items.map { .number("\($0)") }
        json["seconds"] = .number("\(seconds)")
        return json
    }

    init(_ json: JSONValue) throws(FrameError) {
        guard let program = try json.word("program"), let seconds = try json.number("seconds") else {
            throw .malformed
        }
        self.init(program: program, items: try json.number("items"), seconds: seconds)
    }
}
