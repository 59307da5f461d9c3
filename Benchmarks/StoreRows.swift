internal import Glibc

/// Commits, opening and listing with a vault file on a disk.
enum StoreRows {
    private static let sizes = [100, 10_000, 100_000]
    private static let rounds = 25
    private static let putsARound = 20
    private static let repairRounds = 9
    private static let rekeys = 7

    /// Durable commits in vaults of several sizes.
    static func commits(in folder: String) throws -> [Row] {
        var vaults: [SampleVault] = []
        var bare: [BareVault] = []
        for size in sizes {
            vaults.append(try SampleVault(count: size, in: folder))
            let peer = try BareVault(path: "\(folder)/\(size)/bare.sqlite")
            try peer.fill(size)
            bare.append(peer)
        }
        return try puts(vaults, bare)
    }

    private static func puts(_ vaults: [SampleVault], _ bare: [BareVault]) throws -> [Row] {
        // What an agent or `--lines` does: the lanes that change have been read before.
        for vault in vaults { try vault.list() }
        let works: [() throws -> Void] =
            vaults.map { vault in { for _ in 0..<putsARound { try vault.put() } } }
            + bare.map { bare in { for _ in 0..<putsARound { try bare.put() } } }
        let seconds = try Rounds.run(rounds, works)
        for (vault, bare) in zip(vaults, bare) {
            try vault.shrink()
            try bare.shrink(to: vault.count)
        }
        func each(_ index: Int) -> String {
            Format.time(Rounds.median(seconds[index]) / Double(putsARound))
        }
        var rows = sizes.indices.map { index in
            Row(
                what: "durable put into \(sizes[index])",
                ours: each(index),
                peer: "\(each(index + sizes.count)) bare SQLite commit",
                ratio: Rounds.ratio(seconds[index], seconds[index + sizes.count]),
                target: .time(atMost: 1.25)
            )
        }
        let last = sizes.count - 1
        rows.append(
            Row(
                what: "durable put, largest over smallest vault",
                ours: each(last),
                peer: "\(each(0)) in a vault of \(sizes[0])",
                ratio: Rounds.ratio(seconds[last], seconds[0]),
                target: .time(atMost: 1.5)
            )
        )
        return rows
    }

    /// The search of a sound vault of 10,000 by a repair, beside reading and comparing it as `hsip vault verify` does.
    static func repair(in folder: String) throws -> Row {
        let vault = try SampleVault(count: sizes[1], in: folder + "/repair")
        vault.close()
        try vault.reopen()
        let seconds = try Rounds.run(
            repairRounds,
            [vault.lookAsRepair, vault.verify],
            by: { try Rounds.processorSeconds($0) }
        )
        return Row(
            what: "repair of \(vault.count), without writing (processor time)",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) our verify",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: 5)
        )
    }

    /// A new key for a vault of 10,000, during which others wait, beside a verification of the same vault.
    static func rekey(in folder: String) throws -> Row {
        let vault = try SampleVault(count: sizes[1], in: folder + "/rekey")
        let seconds = try Rounds.run(rekeys, [vault.rekey, vault.verify])
        return Row(
            what: "rekey of \(vault.count), under the lock",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) our own verification",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: 8)
        )
    }

    /// Opening a vault of 10,000 from nothing, one record, and all of them.
    static func reads(in folder: String) throws -> [Row] {
        let vault = try SampleVault(count: sizes[1], in: folder + "/reads")
        let path = "\(folder)/reads/\(vault.count)/bare.sqlite"
        try BareVault(path: path).fill(vault.count)
        vault.close()
        var open = (ours: [Double](), bare: [Double]())
        var list = (ours: [Double](), bare: [Double]())
        for round in 0..<rounds {
            open.ours.append(
                try Rounds.seconds {
                    try vault.reopen()
                    try vault.get(round * 397 % vault.count)
                }
            )
            list.ours.append(try Rounds.processorSeconds { try vault.list() })
            vault.close()
            var bare: BareVault?
            open.bare.append(
                try Rounds.seconds {
                    let opened = try BareVault(path: path)
                    try opened.readOnce()
                    bare = opened
                }
            )
            list.bare.append(try Rounds.processorSeconds { try bare?.scan() })
        }
        let (get, all) = (Rounds.median(open.ours), Rounds.median(list.ours))
        return [
            Row(
                what: "cold open and get in \(vault.count), no KDF",
                ours: Format.time(get),
                peer: "\(Format.time(Rounds.median(open.bare))) bare SQLite open and read",
                ratio: Rounds.ratio(open.ours, open.bare),
                target: .bound("< 2 ms", isMet: get < 0.002)
            ),
            Row(
                what: "list of \(vault.count), verified (processor time)",
                ours: Format.time(all),
                peer: "\(Format.time(Rounds.median(list.bare))) bare scan, hash and cipher",
                ratio: Rounds.ratio(list.ours, list.bare),
                target: .bound("< 50 ms", isMet: all < 0.05)
            ),
        ]
    }
}
