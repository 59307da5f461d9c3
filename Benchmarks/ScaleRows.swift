internal import Glibc

/// A vault file of a hundred thousand records beside one of a thousand.
///
/// Nothing here but the put waits for the disk, so the time of the processor is taken.
enum ScaleRows {
    private static let (few, many) = (1_000, 100_000)
    private static let rounds = 11
    private static let gets = 500
    private static let putsARound = 20
    /// Commits by which the log beside a vault has its full size: while it grows each takes several times as long.
    private static let firstPuts = 400

    static func measure(in folder: String) throws -> [Row] {
        let small = try SampleVault(count: few, in: folder)
        let before = try Scratch.residentMemory()
        let large = try SampleVault(count: many, in: folder)
        let size = try large.size()
        let peer = try BareVault(path: "\(folder)/\(many)/bare.sqlite")
        try peer.fill(many)
        try peer.checkpoint()
        let bare = try Scratch.size("\(folder)/\(many)/bare.sqlite")
        var rows = [opening(small, large, try opened(small), try opened(large))]
        // From here on every lane has been read, as in an agent that has been used for a while.
        try small.list()
        let list = try Rounds.processorSeconds { try large.list() }
        let scan = try Rounds.processorSeconds { try peer.scan() }
        rows.append(
            Row(
                what: "list of \(many), verified (processor time)",
                ours: Format.time(list),
                peer: "\(Format.time(scan)) bare scan, hash and cipher",
                ratio: list / scan,
                target: .none
            )
        )
        rows += try flat(small, large)
        rows.append(
            Row(
                what: "file of \(many) records",
                ours: Format.mebibytes(size / 1_024),
                peer: "\(Format.mebibytes(bare / 1_024)) SQLite alone",
                ratio: Double(size) / Double(bare),
                target: .none
            )
        )
        let held = try Scratch.residentMemory() - before
        rows.append(
            Row(
                what: "memory of a process that has read all \(many)",
                ours: Format.mebibytes(held),
                peer: "-",
                ratio: nil,
                target: .none
            )
        )
        return rows
    }

    /// What a get and a put cost more where there are more records.
    private static func flat(_ small: SampleVault, _ large: SampleVault) throws -> [Row] {
        func get(_ vault: SampleVault) throws {
            for number in 0..<gets { try vault.get(number * 397 % vault.count) }
        }
        func put(_ vault: SampleVault) throws { for _ in 0..<putsARound { try vault.put() } }
        let reads = try Rounds.run(rounds, [{ try get(small) }, { try get(large) }]) {
            try Rounds.processorSeconds($0)
        }
        for vault in [small, large] { for _ in 0..<firstPuts { try vault.put() } }
        let writes = try Rounds.run(rounds, [{ try put(small) }, { try put(large) }])
        for vault in [small, large] { try vault.shrink() }
        return [("get", reads, gets), ("durable put", writes, putsARound)].map { what, seconds, count in
            Row(
                what: "\(what), one of \(many)",
                ours: Format.time(Rounds.median(seconds[1]) / Double(count)),
                peer: "\(Format.time(Rounds.median(seconds[0]) / Double(count))) of \(few)",
                ratio: Rounds.ratio(seconds[1], seconds[0]),
                target: .time(atMost: 1.2)
            )
        }
    }

    /// Seconds from nothing to the first record, the derivation of a key left out.
    private static func opened(_ vault: SampleVault) throws -> [Double] {
        try (0..<rounds).map { round in
            vault.close()
            return try Rounds.processorSeconds {
                try vault.reopen()
                try vault.get(round * 397 % vault.count)
            }
        }
    }

    private static func opening(
        _ small: SampleVault,
        _ large: SampleVault,
        _ few: [Double],
        _ many: [Double]
    ) -> Row {
        Row(
            what: "cold open and get in \(large.count), no KDF",
            ours: Format.time(Rounds.median(many)),
            peer: "\(Format.time(Rounds.median(few))) in \(small.count)",
            ratio: Rounds.ratio(many, few),
            target: .none
        )
    }
}
