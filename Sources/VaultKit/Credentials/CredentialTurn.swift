internal import Credentials
internal import RecordStore
internal import VaultCrypto

/// Some credentials as they were in one snapshot, and what an act does to them.
///
/// It looks up what it is asked for by name, one record each; only what needs all of them lists them.
struct CredentialTurn: RecordTurn {
    /// How long the trash keeps a credential, in seconds.
    static let keeping: UInt64 = 30 * 86_400

    private enum Plan {
        case put(RecordDraft)
        case erase
    }

    /// Unix seconds.
    let now: UInt64
    private let reader: any RecordReader
    private let entropy: Entropy
    private var known: [String: RecordInfo?] = [:]
    private var isListed = false
    private var plans: [String: Plan] = [:]
    /// New names by the old ones.
    private var movedTo: [String: String] = [:]
    private var isTidying = false
    /// The number that was given last, by the name with the first number.
    private var numbers: [String: Int] = [:]

    init(_ reader: any RecordReader, now: UInt64, entropy: Entropy) throws(VaultError) {
        self.reader = reader
        self.now = now
        self.entropy = entropy
    }

    /// All of them that are not damaged, ascending by name.
    mutating func list(where attributes: Attributes = .none) throws(VaultError) -> [RecordInfo] {
        do throws(StoreError) {
            let survey = try reader.survey(try RecordKind(CredentialRecords.kind), where: attributes)
            for info in survey.records { known[info.id.name] = .some(info) }
            // The name of a damaged one is not free.
            if attributes.isEmpty, survey.damaged.isEmpty { isListed = true }
            return survey.records
        } catch {
            throw .store(error)
        }
    }

    /// What is known of a name without opening it; nil when nothing has it.
    mutating func info(_ name: String) throws(VaultError) -> RecordInfo? {
        if let info = known[name] { return info }
        guard !isListed else { return nil }
        do throws(StoreError) {
            let info = try reader.info(try CredentialRecords.id(name))
            known[name] = .some(info)
            return info
        } catch {
            // No record has a name that none can have.
            guard error == .invalidRecord(.name) else { throw .store(error) }
            return nil
        }
    }

    /// The credential of a name, opened.
    ///
    /// - Throws: `unknownName`; `inTrash` unless those are wanted, too.
    func open(
        _ name: String,
        inTrash: Bool = false
    ) throws(VaultError) -> (summary: CredentialSummary, credential: Credential) {
        guard let record = try find(name) else { throw .secret(.unknownName) }
        let credential = try CredentialRecords.credential(record)
        guard inTrash || !credential.isRemoved else { throw .secret(.inTrash) }
        return (CredentialSummary(record.info), credential)
    }

    /// The credential of a name that is not in the trash; nil for none.
    func living(_ name: String) throws(VaultError) -> Credential? {
        guard let record = try find(name) else { return nil }
        let credential = try CredentialRecords.credential(record)
        return credential.isRemoved ? nil : credential
    }

    /// The credential of a name that is in the trash; nil for none.
    mutating func removed(_ name: String) throws(VaultError) -> Credential? {
        guard let info = try info(name), CredentialSummary(info).removedAt != nil else { return nil }
        return try open(name, inTrash: true).credential
    }

    /// A name like this one that no credential has.
    ///
    /// A hundred thousand of one name are each given a number without trying those that were given before.
    mutating func freeName(like name: String) throws(VaultError) -> String {
        guard !(try isFree(name)) else { return name }
        // Long names that differ in their ends alone share their numbers, too.
        let first = CredentialName.numbered(name, 2)
        var (number, free) = (numbers[first] ?? 2, first)
        if number > 2 { free = CredentialName.numbered(name, number) }
        while !(try isFree(free)) {
            number += 1
            free = CredentialName.numbered(name, number)
        }
        numbers[first] = number
        return free
    }

    /// Makes a name free: a credential in the trash gives it up, any other does not.
    ///
    /// - Throws: `badName`; `nameTaken`.
    mutating func claim(_ name: String) throws(VaultError) {
        guard Self.isName(name) else { throw .secret(.badName) }
        guard !(try isFree(name)) else { return }
        guard plans[name] == nil, let info = try info(name), CredentialSummary(info).removedAt != nil else {
            throw .secret(.nameTaken)
        }
        try move(name, to: try freeName(like: name), as: try open(name, inTrash: true).credential)
    }

    /// Writes a new credential under a name that was claimed.
    mutating func add(
        _ credential: Credential,
        named name: String,
        content: Secret? = nil,
        created: UInt64? = nil
    ) throws(VaultError) {
        var draft =
            if let content {
                try CredentialRecords.draft(of: credential, content, named: name)
            } else {
                try CredentialRecords.draft(of: credential, named: name)
            }
        // The name may have belonged to another one a moment ago.
        draft.uid = entropy.bytes(RecordLimits.uid)
        draft.created = (created ?? now) * 1000
        plans[name] = .put(draft)
    }

    /// Writes a credential anew under its own name.
    mutating func replace(_ name: String, by credential: Credential) throws(VaultError) {
        _ = try info(name)
        plans[name] = .put(try CredentialRecords.draft(of: credential, named: name))
    }

    /// Gives a credential another name; it stays the same record in all else.
    mutating func move(_ name: String, to other: String, as credential: Credential) throws(VaultError) {
        guard let info = try info(name) else { throw .secret(.unknownName) }
        var draft = try CredentialRecords.draft(of: credential, named: other)
        draft.uid = info.uid
        draft.created = info.created
        plans[other] = .put(draft)
        plans[name] = .erase
        movedTo[name] = other
    }

    var renamings: [Renaming] {
        movedTo.map { old, new in
            let isOldTaken = if case .put? = plans[old] { true } else { false }
            return Renaming(kind: CredentialRecords.kind, old: old, new: new, isOldTaken: isOldTaken)
        }
    }

    /// Lets go of those that were in the trash long enough, with the same commit.
    mutating func tidy() throws(VaultError) {
        isTidying = true
        if !isListed { _ = try list() }
    }

    func changes() -> ChangeSet? {
        guard !plans.isEmpty else { return nil }
        var changes = ChangeSet(floor: reader.floor)
        for (name, plan) in plans.sorted(by: { $0.key < $1.key }) {
            let info = known[name] ?? nil
            switch plan {
            case .put(let draft): changes.put(draft, expecting: info?.revision ?? 0)
            case .erase:
                if let info { changes.delete(info.id, expecting: info.revision) }
            }
        }
        guard isTidying else { return changes }
        let wiping = reader.wipingTime(at: now)
        for case let (name, info?) in known where plans[name] == nil && !info.isNewer {
            if let time = CredentialSummary(info).removedAt, time + Self.keeping < wiping {
                changes.delete(info.id, expecting: info.revision)
            }
        }
        return changes
    }

    /// Whether a record can have a name, and a person can be shown it.
    static func isName(_ name: String) -> Bool {
        CredentialName.isValid(name) && (try? CredentialRecords.id(name)) != nil
    }

    private mutating func isFree(_ name: String) throws(VaultError) -> Bool {
        switch plans[name] {
        case .put: false
        case .erase: true
        case nil: try info(name) == nil
        }
    }

    private func find(_ name: String) throws(VaultError) -> Record? {
        do throws(StoreError) {
            return try reader.find(try CredentialRecords.id(name))
        } catch {
            guard error == .invalidRecord(.name) else { throw .store(error) }
            return nil
        }
    }
}
