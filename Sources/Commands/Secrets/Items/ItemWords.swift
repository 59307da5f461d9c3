internal import Presentation
internal import VaultKit
internal import VaultPolicy

/// Programs as the command line names them.
enum ItemWords {
    /// Whom `--owner` and `--program` name: a program, or `none`.
    static func owner(_ word: String) throws(Failure) -> ItemChange.Owner {
        word == "none" ? .nobody : .program(try program(word))
    }

    /// Whom `--owner` makes the owner: a script owns nothing.
    ///
    /// - Throws: `badIdentity`.
    static func newOwner(_ word: String) throws(Failure) -> ItemChange.Owner {
        let owner = try owner(word)
        guard case .program(let program) = owner, program.toolAndScript != nil else { return owner }
        throw Failure(
            .badIdentity,
            "a script cannot own items, but it can be a reader of them",
            hint: "hsip item set ID --reader \(ShellWord.quoted(word))"
        )
    }

    /// Whom `--reader` lets read: a program, or a tool and its script with one blank between them.
    ///
    /// - Throws: `badIdentity`.
    static func newReader(_ word: String) throws(Failure) -> ProgramIdentity {
        let reader = try program(word)
        guard let parts = reader.toolAndScript, parts.tool.hasSuffix(" ") else { return reader }
        let tool = parts.tool.reversed().drop { $0 == " " }.reversed()
        throw Failure(
            .badIdentity,
            "write one blank between the tool and its script",
            hint: "hsip item set ID --reader \(ShellWord.quoted("\(String(tool)) \(parts.script)"))"
        )
    }

    /// Whose an item is.
    static func owner(of item: ItemView) -> ItemChange.Owner {
        (item.details?.owner).map { .program($0) } ?? .nobody
    }

    /// A program.
    ///
    /// - Throws: `badIdentity`.
    static func program(_ word: String) throws(Failure) -> ProgramIdentity {
        guard let program = ProgramIdentity(word) else {
            throw Failure(
                .badIdentity,
                "name a program by its absolute path, flatpak:ID or snap:NAME",
                hint: "hsip item list"
            )
        }
        return program
    }
}
