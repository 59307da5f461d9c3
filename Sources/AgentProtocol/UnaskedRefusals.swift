internal import JSON

/// How often an agent did not ask its person for a program on the bus, by why; since that was last ended.
public struct UnaskedRefusals: Equatable, Sendable {
    /// The person had said no to the program.
    public var afterNo = 0
    /// The person had closed the window for the passphrase that named the program.
    public var afterWindow = 0
    /// There were as many questions in that minute as there may be.
    public var tooOften = 0
    /// As many calls waited for an answer as may.
    public var tooMany = 0

    /// None yet.
    public init() {}

    /// All of them.
    public var sum: Int { afterNo + afterWindow + tooOften + tooMany }

    var json: JSONValue {
        [
            "afterNo": .number("\(afterNo)"), "afterWindow": .number("\(afterWindow)"),
            "tooOften": .number("\(tooOften)"), "tooMany": .number("\(tooMany)"),
        ]
    }

    /// What an agent sent; what is missing is none.
    ///
    /// - Throws: `malformed`.
    init(_ json: JSONValue) throws(FrameError) {
        afterNo = try json.number("afterNo") ?? 0
        afterWindow = try json.number("afterWindow") ?? 0
        tooOften = try json.number("tooOften") ?? 0
        tooMany = try json.number("tooMany") ?? 0
    }
}
