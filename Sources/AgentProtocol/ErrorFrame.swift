internal import Presentation
internal import Text
internal import VaultCrypto
internal import VaultKit

extension AgentError {
    /// The JSON of an error frame: what every client may show, and the vault's own error where it is one.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(FrameError) -> [UInt8] {
        var json: JSONValue = [:]
        switch self {
        case .refused(let refusal): json["error"] = refusal.json
        case .vault(let error):
            let text = explanation
            json["error"] = Refusal(text.exitCode, text.name, text.name).json
            json["cause"] = error.encoded.map { .text(Hex.encode($0)) }
        default:
            let text = explanation
            json["error"] = Refusal(text.exitCode, text.name, text.name).json
        }
        return try WireText.bytes(of: json)
    }

    /// What an error frame says; the vault's own error whole, as it would be without the agent.
    public init(encoded text: [UInt8]) throws(FrameError) {
        let json = try WireText.document(text)
        guard let error = json["error"] else { throw .malformed }
        let refusal = try Refusal(error)
        // An error that an agent of another version gives is shown by its name.
        let cause = try json.word("cause").flatMap { Hex.decode($0) }.flatMap { VaultError(encoded: $0) }
        self = cause.map { .vault($0) } ?? .refused(refusal)
    }
}

extension Refusal {
    fileprivate var json: JSONValue {
        var json: JSONValue = ["exitCode": .integer(Int64(exitCode)), "name": .text(name)]
        json["message"] = .text(message)
        json["hint"] = hint.map { .text($0) }
        return json
    }

    fileprivate init(_ json: JSONValue) throws(FrameError) {
        guard let exitCode = try json.number("exitCode").flatMap({ Int32(exactly: $0) }),
            let name = try json.word("name"), let message = try json.word("message")
        else { throw .malformed }
        self.init(exitCode, name, message, hint: try json.word("hint"))
    }
}
