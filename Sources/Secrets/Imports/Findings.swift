/// The entries that a reader of an export has found so far.
struct Findings {
    private(set) var candidates: [Candidate] = []
    private(set) var refused: [RefusedEntry] = []

    var count: Int { candidates.count + refused.count }

    /// Adds an entry, or refuses it if it is empty or over the limits.
    ///
    /// - Throws: `tooLarge` if the export has more than `ImportLimits.entries` entries.
    mutating func take(_ candidate: Candidate) throws(ImportError) {
        guard !candidate.fields.isEmpty else {
            let reason: RefusedEntry.Reason = candidate.attachments.isEmpty ? .empty : .onlyFiles
            return try refuse(candidate.title, place: candidate.place, reason)
        }
        guard candidate.fields.count <= ImportLimits.fields,
            candidate.fields.allSatisfy({ $0.value.count <= ImportLimits.value }),
            ([candidate.title] + candidate.folder + candidate.tags)
                .allSatisfy({ $0.utf8.count <= ImportLimits.name })
        else { return try refuse(candidate.title, place: candidate.place, .tooLarge) }
        try makeRoom()
        candidates.append(candidate)
    }

    /// Changes every accepted entry, after the last one is known.
    mutating func eachCandidate(_ change: (inout Candidate) -> Void) {
        for index in candidates.indices { change(&candidates[index]) }
    }

    /// Refuses an entry.
    mutating func refuse(
        _ title: String,
        place: Int,
        _ reason: RefusedEntry.Reason
    ) throws(ImportError) {
        try makeRoom()
        refused.append(RefusedEntry(Self.shortened(title), place: place, reason))
    }

    /// Drops the outermost folder if all entries share it, because the name of a root group has no meaning.
    mutating func dropCommonFolder() {
        guard let first = candidates.first?.folder.first,
            candidates.allSatisfy({ $0.folder.first == first })
        else { return }
        for index in candidates.indices { candidates[index].folder.removeFirst() }
    }

    /// Shortens the title of a refused entry, which may be refused because of its title.
    private static func shortened(_ title: String) -> String {
        guard title.utf8.count > ImportLimits.name else { return title }
        var kept = ""
        for letter in title {
            guard kept.utf8.count + letter.utf8.count <= ImportLimits.name - 3 else { break }
            kept.append(letter)
        }
        return kept + "…"
    }

    private func makeRoom() throws(ImportError) {
        guard count < ImportLimits.entries else { throw .tooLarge }
    }
}

/// Limits on a foreign export; each is checked before memory is allocated.
public enum ImportLimits {
    /// Bytes of one export: 64 MiB.
    public static let document = 64 << 20
    /// Entries of one export.
    public static let entries = 100_000
    /// Fields of one entry.
    public static let fields = 64
    /// Bytes of one value: 1 MiB.
    public static let value = 1 << 20
    /// Bytes of a title, the name of a field or of a folder.
    public static let name = 512
    /// Nesting of groups, objects and elements.
    public static let depth = 64
    /// Values of one JSON text, and elements of one XML text.
    public static let nodes = 4_000_000
    /// Attachments of one entry that are named.
    public static let attachments = 64
    /// Columns of a table.
    public static let columns = 256
}

/// An entry of an export that cannot be imported, and the reason.
public struct RefusedEntry: Sendable, Equatable {
    /// The reason; the words of Schemas/cli/import.schema.json.
    public enum Reason: String, Sendable, Equatable, CaseIterable {
        /// The entry has no value.
        case empty
        /// The entry is only a file, and the export has only the file's name.
        case onlyFiles
        /// The entry is in the trash of the exporting program.
        case inTrash
        /// The entry is archived in the exporting program.
        case archived
        /// The vault has no kind for the entry.
        case unknownKind
        /// The exporting program has encrypted the values.
        case encrypted
        /// A value, a name or their number exceeds `ImportLimits`.
        case tooLarge
        /// A name that is not UTF-8.
        case notText
        /// The entry could not be opened: `gpg` has no key for it, or the keyring did not unlock it.
        case notOpened
        /// The entry is one of a vault's own records.
        case ownRecord
    }

    /// The entry's title; may be empty.
    public let title: String
    /// The number of the entry, as in `Candidate.place`.
    public let place: Int
    /// The reason for the refusal.
    public let reason: Reason

    /// Names an entry that is not imported, and the reason.
    public init(_ title: String, place: Int, _ reason: Reason) {
        self.title = title
        self.place = place
        self.reason = reason
    }
}
