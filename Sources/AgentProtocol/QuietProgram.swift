internal import JSON

/// A program on the bus whose questions the agent refuses unasked for a while, as the person said no to them.
public struct QuietProgram: Equatable, Sendable {
    /// Programs in one answer at most.
    public static let maximum = 256

    /// The program as the policy knows it; empty for those that cannot be told.
    public let program: String
    /// About how many items it is not asked; nil for all of them.
    public let items: Int?
    /// Seconds until the last of these can be asked about again.
    public let seconds: Int

    /// A program that is refused unasked.
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
