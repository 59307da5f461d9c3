package import Presentation
internal import Secrets
internal import Text
package import VaultKit
internal import VaultPolicy

/// Finds items of other programs by the id, its beginning, or a label that only one item has.
package struct FoundItems {
    /// The fewest letters of an id that can name an item.
    private static let shortest = 4

    private let context: Context
    private let vault: any VaultService

    package init(_ context: Context, _ vault: any VaultService) {
        (self.context, self.vault) = (context, vault)
    }

    /// All items, the newest change first.
    package func all(inTrash: Bool = false) async throws -> [ItemView] {
        let found = try await vault(Operations.itemSearch, ItemSearch(inTrash: inTrash))
        return try await vault.itemViews((found.open + found.asked).map(\.id))
    }

    /// The item that a word names.
    ///
    /// - Throws: `ItemError.unknownItem`; `ambiguousItem` with the ids of all items that the word may mean.
    func one(_ word: String, inTrash: Bool = false) async throws -> ItemView {
        try Self.one(word, among: try await all(inTrash: inTrash), context)
    }

    /// The items that several words name, each once.
    func each(_ words: [String], inTrash: Bool = false) async throws -> [ItemView] {
        let all = try await all(inTrash: inTrash)
        var seen: Set<String> = []
        return try words.map { try Self.one($0, among: all, context) }
            .filter { seen.insert($0.place.id).inserted }
    }

    private static func one(_ word: String, among all: [ItemView], _ context: Context) throws -> ItemView {
        if let exact = all.first(where: { $0.place.id == word }) { return exact }
        let isLong = word.utf8.count >= shortest
        let found = all.filter { isLong && $0.place.id.utf8.starts(with: word.utf8) || $0.label == word }
        guard found.count < 2 else {
            throw Failure(
                .ambiguousItem,
                "\(found.count) items match \(context.output.display.name(word)): "
                    + found.prefix(5).map(\.place.id).joined(separator: ", ")
                    + (found.count > 5 ? ", …" : ""),
                hint: "hsip item list"
            )
        }
        guard let one = found.first else { throw VaultError.item(.unknownItem) }
        return one
    }
}

extension ItemView {
    /// The schema that the item's program gave it; nil without a schema, and for the generic schema.
    var schema: String? {
        attributes["xdg:schema"].map { String(decoding: $0, as: UTF8.self) }
            .flatMap { $0 == ItemAttributes.genericSchema ? nil : $0 }
    }

    /// The attributes as text.
    var texts: [(name: String, value: String)] {
        attributes.pairs.map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
    }

    /// Whether the item's label, an attribute or the name of its program contains a word.
    func mentions(_ word: String) -> Bool {
        let word = word.lowercased()
        let words = [label, details?.owner?.text ?? ""] + texts.map(\.value)
        return words.contains { $0.lowercased().contains(word) }
    }
}

extension JSONValue {
    /// An item without its value (Schemas/cli/item.schema.json).
    package static func item(_ item: ItemView) -> JSONValue {
        let details = item.details
        return [
            "id": .text(item.place.id), "collection": .text(item.place.collection),
            "label": .text(item.label),
            "attributes": .object(item.texts.map { JSONMember($0.name, .text($0.value)) }),
            "contentType": .optional(item.contentType), "owner": .optional(details?.owner?.text),
            "readers": .texts((details?.readers ?? []).map(\.text)),
            "createdAt": .time(item.created), "modifiedAt": .time(item.modified),
            "expiresAt": .time(details?.expires), "removedAt": .time(details?.removedAt),
        ]
    }
}

/// Programs as the command line names them.
enum ItemWords {
    /// The owner that `--owner` or `--program` names: a program, or `none`.
    static func owner(_ word: String) throws(Failure) -> ItemChange.Owner {
        word == "none" ? .nobody : .program(try program(word))
    }

    /// The new owner that `--owner` names: a script cannot own items.
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

    /// The reader that `--reader` names: a program, or a tool and its script with one blank between them.
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

    /// The owner of an item.
    static func owner(of item: ItemView) -> ItemChange.Owner {
        (item.details?.owner).map { .program($0) } ?? .nobody
    }

    /// The program that a word names.
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
