internal import RecordStore
internal import SharedLog

/// Renames records whose names the log uses for other records, and updates the references to them.
extension SyncTransaction {
    /// Renames records of this machine whose names belong to objects of the log that are not here.
    mutating func makeWay() throws {
        let before = keys.holders
        try secrets.makeWay(for: log, &report)
        try keys.makeWay(for: log, &report)
        try hosts.makeWay(for: log, &report)
        try followKeys(since: before)
    }

    /// Updates the key names in host profiles after keys were renamed.
    ///
    /// A key name that came from the log means the log's key of that name. Any other name means the key that had the name
    /// on this machine before.
    mutating func followKeys(since before: [String: ObjectID]) throws {
        guard keys.holders != before || !hosts.written.isEmpty else { return }
        var inLog: [String: ObjectID] = [:]
        for (id, row) in log.index.rows(where: { $1.line.kind == SharedKind.sshKey.rawValue }) {
            inLog[row.line.name] = id
        }
        for id in hosts.ids(where: { _ in true }) {
            guard let name = hosts.names[id], let old = try hosts.records.attributes(name)?["key"],
                let host = try hosts.find(id)
            else { continue }
            var isOfLog = false
            if hosts.written[id] != nil, let row = log.index[id] { isOfLog = host.hasLogin(of: row) }
            guard let key = isOfLog ? inLog[old] : before[old], let new = keys.names[key], new != old else {
                continue
            }
            try hosts.rewrite(try host.naming(new))
            if let row = log.index[id], isOfLog {
                log.index[id] = LogIndex.Row(row.line, row.registers, revision: 0)
            }
        }
    }
}
