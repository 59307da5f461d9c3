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
