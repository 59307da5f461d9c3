internal import HSIP
internal import JSON
internal import VaultCrypto
internal import VaultKit

/// A request in JSON: a command, and the members that it has.
struct CallRequest {
    /// The longest request, 64 KiB.
    static let longest = 64 << 10

    /// The command, if it is one; else the name of the program, as where words were not understood.
    let command: String
    private let request: JSONValue

    /// Reads it.
    ///
    /// - Throws: `usage` for what is no object of texts and truths with a command; `unknown` for another command.
    init(_ text: borrowing BorrowedBytes) throws(LibraryError) {
        guard text.count <= Self.longest else { throw .usage }
        guard let request = try? JSONValue(text.withBytes { $0.copied() }, JSONLimits(depth: 1)),
            let command = request["command"]?.text, request.members.allSatisfy({ Self.isKnown($0.value) })
        else { throw .usage }
        guard Self.commands[command] != nil else { throw .unknown }
        self.command = command
        self.request = request
    }

    /// What it does with the vault.
    ///
    /// - Throws: `usage` for a member that is missing, of another kind, or not known.
    func work() throws(LibraryError) -> CallTable.Work {
        guard let (names, make) = Self.commands[command],
            request.members.allSatisfy({ $0.name == "command" || names.contains($0.name) })
        else { throw .usage }
        return try make(self)
    }

    /// A text that must be there.
    func text(_ name: String) throws(LibraryError) -> String {
        guard let text = try optionalText(name) else { throw .usage }
        return text
    }

    /// A text, or nothing.
    func optionalText(_ name: String) throws(LibraryError) -> String? {
        switch request[name] {
        case .text(let text)?: return text
        case nil: return nil
        default: throw .usage
        }
    }

    /// True, false, or nothing.
    func optionalTruth(_ name: String) throws(LibraryError) -> Bool? {
        switch request[name] {
        case .bool(let truth)?: return truth
        case nil: return nil
        default: throw .usage
        }
    }

    /// Texts and truths.
    private static func isKnown(_ value: JSONValue) -> Bool {
        switch value {
        case .text, .bool: true
        default: false
        }
    }

    private static let commands = CallTable.commands
}
