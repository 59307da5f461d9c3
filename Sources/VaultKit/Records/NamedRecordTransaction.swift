internal import RecordStore
internal import VaultCrypto

/// The named records of one kind in one snapshot, and what an act does to them.
///
/// Each step sees what the steps before it did. A record is looked up by its name, one at a time; only what needs all of
/// them lists them.
struct NamedRecordTransaction<Content: NamedRecord>: RecordTransaction {
    private enum Plan {
        /// A record, and what it was before, perhaps under another name; nil for a new one.
        case put(RecordDraft, origin: RecordInfo?)
        case erase
    }

    /// Unix seconds.
    let now: UInt64
    let reader: any RecordReader
    /// Changes of records of other kinds that go into the same commit.
    var others: [Change] = []
    let entropy: Entropy
    /// What was read one by one.
    private var known: [String: RecordInfo?] = [:]
    /// By name.
    private var listed: [RecordInfo]?
    /// Everything is listed and nothing is damaged, so a name that is not known is free.
    private(set) var isWhole = false
    private var plans: [String: Plan] = [:]
    /// Names by identity, once they are needed.
    private var names: [String: String]?
    /// The number that was given last, by the name with the first number.
    var numbers: [String: Int] = [:]
    private var isPurging = Content.isPurgedByEveryChange

    var trash: TrashPolicy { TrashPolicy(reader, now: now) }

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        self.now = now
        self.entropy = entropy
    }

    /// All of them in the snapshot that are not damaged, by name.
    mutating func list() throws(VaultError) -> [RecordInfo] {
        if let listed { return listed }
        let survey = try reader.survey(Content.self)
        // The name of a damaged one is not free.
        isWhole = survey.damaged.isEmpty
        listed = survey.records
        return survey.records
    }

    /// What the snapshot has under a name; nil for nothing.
    mutating func info(_ name: String) throws(VaultError) -> RecordInfo? {
        if let info = seen(name) { return info }
        guard !isWhole else { return nil }
        let info = try reader.info(Content.self, name)
        known[name] = .some(info)
        return info
    }

    /// What was read of a name so far: from the list, or by itself.
    private func seen(_ name: String) -> RecordInfo?? {
        if let info = known[name] { return info }
        guard let listed else { return nil }
        let place = listed.place(of: name)
        guard place < listed.count, listed[place].id.name == name else { return nil }
        return .some(listed[place])
    }

    /// Everything but the content of the record that has a name by now; nil for none.
    mutating func outcome(_ name: String) throws(VaultError) -> RecordInfo? {
        switch plans[name] {
        case .put(let draft, let origin):
            draft.written(over: origin, revision: 0, at: now * 1000, entropy)
        case .erase: nil
        case nil: try info(name)
        }
    }

    /// What is searchable of the record that has a name by now; nil for none.
    mutating func attributes(_ name: String) throws(VaultError) -> Attributes? {
        switch plans[name] {
        case .put(let draft, _): draft.attributes
        case .erase: nil
        case nil: try info(name)?.attributes
        }
    }

    /// What stays the same of the record that has a name by now, whatever it is called; nil for none.
    mutating func uid(of name: String) throws(VaultError) -> [UInt8]? {
        switch plans[name] {
        case .put(let draft, let origin): draft.uid ?? origin?.uid
        case .erase: nil
        case nil: try info(name)?.uid
        }
    }

    /// The record that has a name by now, the trash included; nil for none.
    func find(_ name: String) throws(VaultError) -> Content? {
        switch plans[name] {
        case .put(let draft, _): try Content.reading(draft.body)
        case .erase: nil
        case nil: try reader.found(Content.self, name)?.content
        }
    }

    /// The same; nil also for one that is damaged, or written by a newer program.
    func readable(_ name: String) throws(VaultError) -> Content? {
        do throws(VaultError) {
            return try find(name)
        } catch .store(.newerRecord), .store(.tampered(.record)) {
            return nil
        }
    }

    /// The same; nil also for one in the trash.
    func living(_ name: String) throws(VaultError) -> Content? {
        try find(name).flatMap { $0.removedAt == nil ? $0 : nil }
    }

    /// The record that has a name by now.
    ///
    /// - Throws: that there is none; that it is in the trash, unless those are wanted, too.
    func open(_ name: String, inTrash: Bool = false) throws(VaultError) -> Content {
        guard let content = try find(name) else { throw Content.refusals.unknown }
        guard inTrash || content.removedAt == nil else { throw Content.refusals.inTrash }
        return content
    }

    /// The names that readable and damaged records have by now.
    mutating func allNames() throws(VaultError) -> [String] {
        var names = Set(try list().filter { !$0.isNewer }.map(\.id.name))
        for (name, plan) in plans {
            if case .put = plan { names.insert(name) } else { names.remove(name) }
        }
        return names.sorted()
    }

    /// The name that a record has by now which is the same whatever its name is; nil for none.
    mutating func name(of identity: String) throws(VaultError) -> String? {
        if names == nil {
            var found: [String: String] = [:]
            for info in try list() where plans[info.id.name] == nil {
                if let value = Self.identity(info.attributes) { found[value] = info.id.name }
            }
            for case (let name, .put(let draft, _)) in plans {
                if let value = Self.identity(draft.attributes) { found[value] = name }
            }
            names = found
        }
        return names?[identity]
    }

    /// Writes a new record under a name that was claimed.
    ///
    /// `body` is the content that the record was read from, where there is one. `created` is in Unix
    /// seconds; nil for now.
    mutating func add(
        _ content: Content,
        named name: String,
        body: Secret? = nil,
        created: UInt64? = nil
    ) throws(VaultError) {
        var draft = try content.draft(named: name, body: body)
        // The name may have belonged to another one a moment ago.
        draft.uid = entropy.bytes(RecordLimits.uid)
        draft.created = (created ?? now) * 1000
        try plan(draft, origin: nil)
    }

    /// Writes a new record that another machine made, under a free name.
    ///
    /// - Parameters:
    ///   - content: The record.
    ///   - name: Its name here.
    ///   - uid: Its identity, which is the same on all machines.
    ///   - milliseconds: When it was made, in Unix milliseconds.
    /// - Throws: what the content or the store refuses.
    mutating func add(
        _ content: Content,
        named name: String,
        uid: [UInt8],
        created milliseconds: UInt64
    ) throws(VaultError) {
        var draft = try content.draft(named: name)
        (draft.uid, draft.created) = (uid, milliseconds)
        try plan(draft, origin: nil)
    }

    /// Erases a record for good.
    mutating func erase(_ name: String) throws(VaultError) {
        _ = try info(name)
        plans[name] = .erase
    }

    /// When the record that has a name by now was made, in Unix milliseconds; 0 for none.
    func created(of name: String) throws(VaultError) -> UInt64 {
        switch plans[name] {
        case .put(let draft, let origin): draft.created ?? origin?.created ?? now * 1_000
        case .erase: 0
        case nil: try reader.info(Content.self, name)?.created ?? 0
        }
    }

    /// Gives a record another name that was claimed; it stays the same record in all else.
    ///
    /// `created` is in Unix milliseconds; nil leaves the time unchanged.
    ///
    /// - Throws: that there is none.
    mutating func move(
        _ name: String,
        to other: String,
        as content: Content,
        created: UInt64? = nil
    ) throws(VaultError) {
        var draft = try content.draft(named: other)
        let before: RecordInfo?
        switch plans[name] {
        case .put(let old, let origin):
            (draft.uid, draft.created, before) = (old.uid, old.created, origin)
        case .erase: throw Content.refusals.unknown
        case nil:
            guard let info = try info(name) else { throw Content.refusals.unknown }
            (draft.uid, draft.created, before) = (info.uid, info.created, info)
        }
        if let created { draft.created = created }
        plans[name] = .erase
        try plan(draft, origin: before)
    }

    /// Writes a record again under its own name.
    mutating func replace(_ name: String, by content: Content) throws(VaultError) {
        try move(name, to: name, as: content)
    }

    /// Lets what was in the trash long enough go with the same commit.
    mutating func purge() { isPurging = true }

    var renamings: [Renaming] {
        plans.compactMap { name, plan in
            guard case .put(_, let origin?) = plan, origin.id.name != name else { return nil }
            let isOldTaken = if case .put? = plans[origin.id.name] { true } else { false }
            return Renaming(
                kind: Content.recordKind,
                old: origin.id.name,
                new: name,
                isOldTaken: isOldTaken
            )
        }
    }

    func changes() throws(VaultError) -> ChangeSet? {
        guard !plans.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor, changes: others)
        for (name, plan) in plans.sorted(by: { $0.key < $1.key }) {
            let info = seen(name) ?? nil
            switch plan {
            case .put(let draft, _): changes.put(draft, expecting: info?.revision ?? 0)
            case .erase:
                if let info { changes.delete(info.id, expecting: info.revision) }
            }
        }
        guard isPurging else { return changes }
        let trash = trash
        let all: [RecordInfo]
        if let listed { all = listed } else { all = try reader.survey(Content.self).records }
        for info in all
        where plans[info.id.name] == nil && !info.isNewer && trash.isOver(info.attributes.removedAt) {
            changes.delete(info.id, expecting: info.revision)
        }
        return changes
    }

    private mutating func plan(_ draft: RecordDraft, origin: RecordInfo?) throws(VaultError) {
        // Its revision is what the commit expects.
        _ = try info(draft.id.name)
        plans[draft.id.name] = .put(draft, origin: origin)
        if let identity = Self.identity(draft.attributes) { names?[identity] = draft.id.name }
    }

    private static func identity(_ attributes: Attributes) -> String? {
        Content.identity.flatMap { attributes[$0] }
    }
}
