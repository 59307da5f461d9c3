/// The groups of a table of Buttercup, which are rows of their own, each with the identifier of the group around it.
struct ButtercupGroups {
    private var groups: [String: (name: String, parent: String?)] = [:]

    /// Notes a row that is a group; one without an identifier says nothing.
    mutating func add(_ id: String?, _ name: String?, parent: String?) {
        guard let id, !id.isEmpty else { return }
        groups[id] = (name ?? "", parent)
    }

    /// Puts the names of its groups in the place of the identifier that an entry has as its folder.
    ///
    /// A chain of groups that leads back into itself ends after `ImportLimits.depth` of them.
    func resolve(_ candidate: inout Candidate) {
        guard let id = candidate.folder.first else { return }
        var (path, next) = ([String](), Optional(id))
        while path.count < ImportLimits.depth, let id = next, let group = groups[id] {
            path.insert(group.name, at: 0)
            next = group.parent
        }
        candidate.folder = path.filter { !$0.isEmpty }
    }
}
