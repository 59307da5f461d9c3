internal import Console
internal import VaultKit
internal import VaultPolicy

/// Programs as the command line names them.
enum ItemWords {
    /// Whom `--owner` and `--program` name: a program, or `none`.
    static func owner(_ word: String) throws(Failure) -> ItemChange.Owner {
        word == "none" ? .nobody : .program(try program(word))
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
