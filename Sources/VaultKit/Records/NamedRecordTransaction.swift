internal import RecordStore
internal import VaultCrypto

/// The named records of one kind in one snapshot, with the changes made so far.
///
/// Each step sees the earlier ones. Records are looked up one by one; only steps that need all of them list
/// them.
struct NamedRecordTransaction<Content: NamedRecord>: RecordTransaction {
    private enum Plan {
        /// A new content, and the record that it replaces, perhaps under another name; nil for a new record.
        case put(RecordDraft, origin: RecordInfo?)
        case erase
    }

    /// Unix seconds.
    let now: UInt64
    let reader: any RecordReader
    /// Changes of other kinds of records for the same commit.
    var others: [Change] = []
    let entropy: Entropy
    /// The records that were looked up one by one.
    private var known: [String: RecordInfo?] = [:]
    /// The list of all records, by name.
    private var listed: [RecordInfo]?
    /// Whether all records are listed and none is damaged, so that every unknown name is free.
    private(set) var isWhole = false
    private var plans: [String: Plan] = [:]
    /// Names by identity, filled when first needed.
    private var names: [String: String]?
    /// The last number given, by the name that carried the first number.
    var numbers: [String: Int] = [:]
    private var isPurging = Content.isPurgedByEveryChange

    var trash: TrashPolicy { TrashPolicy(reader, now: now) }

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws {
        self.reader = reader
        self.now = now
        self.entropy = entropy
    }

    /// All undamaged records of the snapshot, by name.
    mutating func list() throws -> [RecordInfo] {
        if let listed { return listed }
        let survey = try reader.survey(Content.self)
        // The name of a damaged record is not free.
        isWhole = survey.damaged.isEmpty
        listed = survey.records
        return survey.records
    }

    /// The record of the snapshot with this name; nil if there is none.
    mutating func info(_ name: String) throws -> RecordInfo? {
        if let info = seen(name) { return info }
        guard !isWhole else { return nil }
        let info = try reader.info(Content.self, name)
        known[name] = .some(info)
        return info
    }

    /// The record of a name, if it was already read: from the list, or one by one.
    private func seen(_ name: String) -> RecordInfo?? {
        if let info = known[name] { return info }
        guard let listed else { return nil }
        let place = listed.place(of: name)
        guard place < listed.count, listed[place].id.name == name else { return nil }
        return .some(listed[place])
    }

    /// The record of a name as changed so far, without its content; nil if there is none.
    mutating func outcome(_ name: String) throws -> RecordInfo? {
        switch plans[name] {
        case .put(let draft, let origin):
            draft.written(over: origin, revision: 0, at: now * 1000, entropy)
        case .erase: nil
        case nil: try info(name)
        }
    }

    /// The attributes of a name's record as changed so far; nil if there is none.
    mutating func attributes(_ name: String) throws -> Attributes? {
        switch plans[name] {
        case .put(let draft, _): draft.attributes
        case .erase: nil
        case nil: try info(name)?.attributes
        }
    }

    /// The uid of a name's record as changed so far, which survives renaming; nil if there is none.
    mutating func uid(of name: String) throws -> [UInt8]? {
        switch plans[name] {
        case .put(let draft, let origin): draft.uid ?? origin?.uid
        case .erase: nil
        case nil: try info(name)?.uid
        }
    }

    /// The content of a name's record as changed so far, the trash included; nil if there is none.
    func find(_ name: String) throws -> Content? {
        switch plans[name] {
        case .put(let draft, _): try Content(body: draft.body)
        case .erase: nil
        case nil: try reader.found(Content.self, name)?.content
        }
    }

    /// Like `find`, but nil also for a damaged record and for a record of a newer program.
    func readable(_ name: String) throws -> Content? {
        do { return try find(name) } catch StoreError.newerRecord, StoreError.tampered(.record) { return nil }
    }

    /// Like `find`, but nil also for a record in the trash.
    func living(_ name: String) throws -> Content? {
        try find(name).flatMap { $0.removedAt == nil ? $0 : nil }
    }

    /// The content of a name's record as changed so far.
    ///
    /// - Throws: the kind's error for an unknown name, and for a record in the trash unless `inTrash`.
    func open(_ name: String, inTrash: Bool = false) throws -> Content {
        guard let content = try find(name) else { throw Content.refusals.unknown }
        guard inTrash || content.removedAt == nil else { throw Content.refusals.inTrash }
        return content
    }

    /// The names of all listed records as changed so far, without those of a newer program.
    mutating func allNames() throws -> [String] {
        var names = Set(try list().filter { !$0.isNewer }.map(\.id.name))
        for (name, plan) in plans {
            if case .put = plan { names.insert(name) } else { names.remove(name) }
        }
        return names.sorted()
    }

    /// The present name of the record with this identity, which survives renaming; nil if there is none.
    mutating func name(of identity: String) throws -> String? {
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

    /// Adds a record under a claimed name.
    ///
    /// `body` is the body that the content was read from, if there is one. `created` is in Unix seconds; nil
    /// for now.
    mutating func add(
        _ content: Content,
        named name: String,
        body: Secret? = nil,
        created: UInt64? = nil
    ) throws {
        var draft = try content.draft(named: name, body: body)
        // Another record may have had the name a moment ago.
        draft.uid = entropy.bytes(RecordLimits.uid)
        draft.created = (created ?? now) * 1000
        try plan(draft, origin: nil)
    }

    /// Adds a record of another machine under a free name.
    ///
    /// - Parameters:
    ///   - content: The record.
    ///   - name: Its name in this vault.
    ///   - uid: Its uid, equal on all machines.
    ///   - milliseconds: Its creation time, Unix milliseconds.
    /// - Throws: the errors of the content or the store.
    mutating func add(
        _ content: Content,
        named name: String,
        uid: [UInt8],
        created milliseconds: UInt64
    ) throws {
        var draft = try content.draft(named: name)
        (draft.uid, draft.created) = (uid, milliseconds)
        try plan(draft, origin: nil)
    }

    /// Erases a record for good.
    mutating func erase(_ name: String) throws {
        _ = try info(name)
        plans[name] = .erase
    }

    /// The creation time of a name's record as changed so far, Unix milliseconds; 0 if there is none.
    func created(of name: String) throws -> UInt64 {
        switch plans[name] {
        case .put(let draft, let origin): draft.created ?? origin?.created ?? now * 1_000
        case .erase: 0
        case nil: try reader.info(Content.self, name)?.created ?? 0
        }
    }

    /// Renames a record to a claimed name; everything else stays.
    ///
    /// `created` is in Unix milliseconds; nil keeps the creation time.
    ///
    /// - Throws: the kind's error for an unknown name.
    mutating func move(_ name: String, to other: String, as content: Content, created: UInt64? = nil) throws {
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

    /// Replaces the content of a record.
    mutating func replace(_ name: String, by content: Content) throws {
        try move(name, to: name, as: content)
    }

    /// Erases records that have been in the trash long enough, in the same commit.
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

    func changes() throws -> ChangeSet? {
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

    private mutating func plan(_ draft: RecordDraft, origin: RecordInfo?) throws {
        // The commit needs the revision of the record under this name.
        _ = try info(draft.id.name)
        plans[draft.id.name] = .put(draft, origin: origin)
        if let identity = Self.identity(draft.attributes) { names?[identity] = draft.id.name }
    }

    private static func identity(_ attributes: Attributes) -> String? {
        Content.identity.flatMap { attributes[$0] }
    }
}
