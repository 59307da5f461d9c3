/// What a reader has found so far.
struct Findings {
    private(set) var candidates: [Candidate] = []
    private(set) var refused: [RefusedEntry] = []

    var count: Int { candidates.count + refused.count }

    /// Takes an entry, unless it is empty or over the limits.
    ///
    /// - Throws: `tooLarge` for more entries than are read.
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

    /// Changes what was taken, once all of it is known.
    mutating func eachCandidate(_ change: (inout Candidate) -> Void) {
        for index in candidates.indices { change(&candidates[index]) }
    }

    /// Names an entry that is not taken.
    mutating func refuse(
        _ title: String,
        place: Int,
        _ reason: RefusedEntry.Reason
    ) throws(ImportError) {
        try makeRoom()
        refused.append(RefusedEntry(Self.shortened(title), place: place, reason))
    }

    /// Leaves out the folder that every entry lies in: the root group of a database says nothing.
    mutating func dropCommonFolder() {
        guard let first = candidates.first?.folder.first,
            candidates.allSatisfy({ $0.folder.first == first })
        else { return }
        for index in candidates.indices { candidates[index].folder.removeFirst() }
    }

    /// A refused entry is shown by its title, which may be what is too large about it.
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

/// The numbers that bound what a foreign export can make this program do; each is checked before memory is taken.
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
    /// How deep groups, objects and elements may be nested.
    public static let depth = 64
    /// Values of one JSON text, and elements of one XML text.
    public static let nodes = 4_000_000
    /// Attachments of one entry that are named.
    public static let attachments = 64
    /// Columns of a table.
    public static let columns = 256
}

/// An entry of an export that cannot be taken, and why.
public struct RefusedEntry: Sendable, Equatable {
    /// Why not; the words of Schemas/cli/import.schema.json.
    public enum Reason: String, Sendable, Equatable, CaseIterable {
        /// It holds no value at all.
        case empty
        /// It is a file and nothing else, and the export has its name only.
        case onlyFiles
        /// It lies in the trash of the program it comes from.
        case inTrash
        /// It was put aside in the program it comes from.
        case archived
        /// A kind of entry without a meaning here.
        case unknownKind
        /// Its values are encrypted by the program it comes from.
        case encrypted
        /// A value, a name or their number is over `ImportLimits`.
        case tooLarge
        /// A name that is not UTF-8.
        case notText
        /// Could not be opened where it lies: `gpg` has no key for it, or the keyring kept it locked.
        case notOpened
        /// The entry is one of a vault's own records.
        case ownRecord
    }

    /// As its owner calls it; may be empty.
    public let title: String
    /// Which entry it was, as in `Candidate.place`.
    public let place: Int
    /// Why not.
    public let reason: Reason

    /// An entry that is not taken.
    public init(_ title: String, place: Int, _ reason: Reason) {
        self.title = title
        self.place = place
        self.reason = reason
    }
}
