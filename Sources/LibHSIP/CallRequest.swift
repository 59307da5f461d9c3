internal import Secrets
internal import Text
internal import VaultCrypto

/// A request in JSON: a command of the table `CallRow.all`, and its members.
struct CallRequest: Sendable {
    /// The longest request, 64 KiB.
    private static let longest = 64 << 10

    let command: String
    private let row: CallRow
    private let request: JSONValue

    /// Reads a request.
    ///
    /// - Throws: `usage` unless the text is an object with a command, whose members are texts and booleans; `unknown` for a
    ///   command that the table does not have.
    init(_ text: borrowing BorrowedBytes) throws(LibraryError) {
        guard text.count <= Self.longest,
            let request = try? JSONValue(text.withBytes { $0.copied() }, JSONLimits(depth: 1)),
            let command = request["command"]?.text,
            request.members.allSatisfy({ $0.value.text != nil || $0.value.truth != nil })
        else { throw .usage }
        guard let row = CallRow.all[command] else { throw .unknown }
        (self.command, self.row, self.request) = (command, row, request)
    }

    /// Checks the members, before the vault is looked up.
    ///
    /// - Throws: `usage` for a member that is missing, unknown or has another kind of value.
    func check() throws(LibraryError) {
        let isComplete = row.needed.allSatisfy { request[$0] != nil }
        let members = request.members.filter { $0.name != "command" }
        guard isComplete, members.allSatisfy({ row.allows($0.name) && Self.isValid($0) }) else {
            throw .usage
        }
    }

    /// Runs the command.
    func answer(_ opened: OpenedService) async throws -> CallAnswer { try await row.work(opened, self) }

    /// A text member that the command needs.
    ///
    /// - Throws: `usage` if the member is missing, or is not a text.
    func text(_ name: String) throws(LibraryError) -> String {
        guard let text = self[name] else { throw .usage }
        return text
    }

    /// A text member; nil if the request does not have it.
    subscript(name: String) -> String? { request[name]?.text }

    /// A boolean member; nil if the request does not have it.
    func truth(_ name: String) -> Bool? { request[name]?.truth }

    /// True if the request is about removed records.
    var inTrash: Bool { truth("trash") ?? false }

    private static func isValid(_ member: JSONMember) -> Bool {
        switch member.name {
        case "trash", "keys", "requireVerified": member.value.truth != nil
        case "closeAll": member.value.truth == true
        case "type": member.value.text.flatMap { CredentialKind(word: $0) } != nil
        default: member.value.text != nil
        }
    }
}

extension JSONValue {
    fileprivate var truth: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }
}
