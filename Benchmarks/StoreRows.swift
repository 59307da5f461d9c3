internal import Glibc

/// Commits, opening and listing with a vault file on a disk.
enum StoreRows {
    private static let sizes = [100, 10_000, 100_000]
    private static let rounds = 25
    private static let putsARound = 20

    static func measure(in folder: String) throws -> [Row] {
        var vaults: [SampleVault] = []
        var bare: [BareVault] = []
        for size in sizes {
            vaults.append(try SampleVault(count: size, in: folder))
            let peer = try BareVault(path: "\(folder)/\(size)/bare.sqlite")
            try peer.fill(size)
            bare.append(peer)
        }
        var rows = try puts(vaults, bare)
        // Nobody else has the file open when it is opened cold.
        bare = []
        rows += try cold(vaults[1], folder)
        return rows
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
                target: .time(atMost: 1.5)
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

    private static func cold(_ vault: SampleVault, _ folder: String) throws -> [Row] {
        let path = "\(folder)/\(vault.count)/bare.sqlite"
        vault.close()
        var turn = 0
        var list: [Double] = []
        var bareList: [Double] = []
        var times = [[Double]](repeating: [], count: 3)
        for _ in 0..<rounds {
            turn += 1
            times[0].append(
                try measure {
                    try vault.reopen()
                    try vault.get(turn * 397 % vault.count)
                }
            )
            list.append(try measure { try vault.list() })
            times[2].append(try measure { try vault.put() })
            try vault.shrink()
            vault.close()
            var bare: BareVault?
            times[1].append(
                try measure {
                    let opened = try BareVault(path: path)
                    try opened.readOnce()
                    bare = opened
                }
            )
            bareList.append(try measure { try bare?.scan() })
        }
        let (get, all) = (Rounds.median(times[0]), Rounds.median(list))
        return [
            Row(
                what: "cold open and get in \(vault.count), no KDF",
                ours: Format.time(get),
                peer: "\(Format.time(Rounds.median(times[1]))) bare SQLite open and read",
                ratio: Rounds.ratio(times[0], times[1]),
                target: .bound("< 2 ms", isMet: get < 0.002)
            ),
            Row(
                what: "list of \(vault.count), verified",
                ours: Format.time(all),
                peer: "\(Format.time(Rounds.median(bareList))) bare scan, hash and cipher",
                ratio: Rounds.ratio(list, bareList),
                target: .bound("< 50 ms", isMet: all < 0.05)
            ),
        ]
    }

    private static func measure(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .seconds(1)
    }
}
