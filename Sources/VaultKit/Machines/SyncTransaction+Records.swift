internal import Credentials
internal import RecordStore
internal import SharedLog

/// The records of a sync: each is found by its identity and written under a free name.
extension SyncTransaction {
    mutating func call(_ id: ObjectID, _ name: String?) {
        if let old = names[id], holders[old] == id { holders[old] = nil }
        names[id] = name
        if let name { holders[name] = id }
    }

    /// The secret of a record; nil for a secret that stays here, or that this program cannot read.
    func shared(_ id: ObjectID, _ name: String) throws -> SharedSecret? {
        guard !newer.contains(id), let credential = try secrets.find(name) else { return nil }
        return SharedSecret(id, name, created: try secrets.created(of: name), credential)
    }

    /// Writes a secret as the record of its identity; another record that has its name gets another one.
    ///
    /// - Returns: the revision for the index: 0 if the record says more than the log.
    mutating func write(
        _ secret: SharedSecret,
        over name: String?,
        _ line: LogState.Line,
        beside others: Set<ObjectID>
    ) throws -> Revision {
        var secret = secret
        if let holder = holders[secret.name], holder != secret.id {
            if let joined = try joined(holder, with: secret) {
                secret = joined
            } else {
                try makeWay(holder, for: secret, isSaid: !others.contains(holder))
            }
        }
        if let name {
            try secrets.move(name, to: secret.name, as: secret.credential)
        } else {
            try secrets.add(
                secret.credential,
                named: secret.name,
                uid: secret.id.bytes,
                created: secret.created
            )
        }
        call(secret.id, secret.name)
        guard try secret.object().digest() == line.digest else {
            fresh.remove(secret.id)
            return 0
        }
        fresh.insert(secret.id)
        return nextRevision
    }

    /// Joins a secret of this machine that has the same name and the same fields, and is not in the log, with the log's.
    ///
    /// The versions of both stay. Nil if they are two secrets.
    private mutating func joined(_ holder: ObjectID, with secret: SharedSecret) throws -> SharedSecret? {
        guard log.index[holder] == nil, let mine = try shared(holder, secret.name),
            mine.credential.removedAt == nil, mine.credential.hasSameFields(as: secret.credential),
            let merged = try mine.merged(with: secret, base: [])?.secret, merged.name == secret.name
        else { return nil }
        try secrets.erase(secret.name)
        call(holder, nil)
        return SharedSecret(secret.id, secret.name, created: secret.created, merged.credential)
    }

    /// Gives a record of this machine another name.
    private mutating func makeWay(_ holder: ObjectID, for secret: SharedSecret, isSaid: Bool) throws {
        let mine = try secrets.open(secret.name, inTrash: true)
        let free = try secrets.freeName(like: secret.name)
        try secrets.move(secret.name, to: free, as: mine)
        call(holder, free)
        revisions[holder] = nil
        fresh.remove(holder)
        if isSaid, mine.removedAt == nil { report.renamed[secret.name] = free }
    }

    mutating func setAside(_ name: String, as mine: SharedSecret) throws {
        let free = try secrets.freeName(like: name)
        try secrets.erase(name)
        try secrets.add(mine.credential, named: free)
        call(mine.id, nil)
        report.renamed[name] = free
    }
}
