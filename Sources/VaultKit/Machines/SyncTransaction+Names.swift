internal import RecordStore
internal import SharedLog

/// The names of records that have other names here, and what names them.
extension SyncTransaction {
    /// Gives records of this machine other names if objects of the log that are not here have theirs.
    mutating func makeWay() throws {
        let before = keys.holders
        try secrets.makeWay(for: log, &report)
        try keys.makeWay(for: log, &report)
        try hosts.makeWay(for: log, &report)
        try followKeys(since: before)
    }

    /// Lets host profiles name their keys by the names that these have now.
    ///
    /// A name that came with the log means the key that has it there; any other the key that had it here.
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
