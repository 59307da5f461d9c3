internal import FoundationEssentials
internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// A request in JSON: a command, and the members that it has.
struct CallRequest {
    /// The longest request, 64 KiB.
    static let longest = 64 << 10

    /// What a member may be.
    private enum Member: Decodable {
        case text(String)
        case truth(Bool)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let truth = try? value.decode(Bool.self) {
                self = .truth(truth)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    /// The command, if it is one; else the name of the program, as where words were not understood.
    let command: String
    private var members: [String: Member]

    /// Reads it.
    ///
    /// - Throws: `usage` for what is no object of texts and truths with a command; `unknown` for another command.
    init(_ text: borrowing BorrowedBytes) throws(LibraryError) {
        guard text.count <= Self.longest else { throw .usage }
        let bytes = Data(text.withBytes { $0.copied() })
        guard var members = try? JSONDecoder().decode([String: Member].self, from: bytes),
            case .text(let command) = members.removeValue(forKey: "command")
        else { throw .usage }
        guard Self.commands[command] != nil else { throw .unknown }
        self.command = command
        self.members = members
    }

    /// What it does with the vault.
    ///
    /// - Throws: `usage` for a member that is missing, of another kind, or not known.
    func work() throws(LibraryError) -> CallTable.Work {
        guard let (names, make) = Self.commands[command], Set(members.keys).isSubset(of: names) else {
            throw .usage
        }
        return try make(self)
    }

    /// A text that must be there.
    func text(_ name: String) throws(LibraryError) -> String {
        guard let text = try optionalText(name) else { throw .usage }
        return text
    }

    /// A text, or nothing.
    func optionalText(_ name: String) throws(LibraryError) -> String? {
        switch members[name] {
        case .text(let text): return text
        case .truth: throw .usage
        case nil: return nil
        }
    }

    /// True, false, or nothing.
    func optionalTruth(_ name: String) throws(LibraryError) -> Bool? {
        switch members[name] {
        case .truth(let truth): return truth
        case .text: throw .usage
        case nil: return nil
        }
    }

    private static let commands = CallTable.commands
}
