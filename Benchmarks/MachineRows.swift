/// `hsip sync` of vaults that several machines share over git, beside git by hand with the same bytes.
enum MachineRows {
    private static let rounds = 21
    private static let joins = 3
    /// How many records and machines the vaults have.
    private static let sizes = [(100, 2), (1_000, 2), (10_000, 2), (100, 8), (100, 64)]

    static func measure(
        hsip: String,
        git: String,
        _ host: SSHHost?,
        in folder: String
    ) async throws -> [Row] {
        try Scratch.makeFolder(folder)
        var homes: [SharedHome] = []
        defer { for home in homes { home.end() } }
        for (records, machines) in sizes {
            homes.append(try await SharedHome(records, machines, hsip: hsip, at: .git(git), in: folder))
        }
        // The newest entry is then one of a new secret, as those that follow.
        _ = try homes[1].sendChange()
        let hand = try HandLog(git: git, of: homes[1].remote, in: folder + "/by-hand")
        let rows =
            try changes(homes, hand) + nothing(homes, hand) + [
                try join(homes[2], hsip: hsip, hand, in: folder)
            ]
        guard let host else { return rows }
        let far = try await SharedHome(1_000, 2, hsip: hsip, at: .git(git, host), in: folder)
        homes.append(far)
        return try rows
            + overSSH(far, HandLog(git: git, of: far.remote, on: host, in: folder + "/by-hand-far"))
    }

    /// The same over `ssh` to a host, as most people have it: one login each.
    private static func overSSH(_ home: SharedHome, _ hand: HandLog) throws -> [Row] {
        let seconds = try run(
            rounds,
            [
                { try home.sendChange() }, { try hand.sendFile() }, { try home.sync(sends: 0) },
                { try hand.fetch() },
            ]
        )
        return [
            row(
                "hsip sync over ssh, one change",
                seconds[0],
                seconds[1],
                "git add, commit, push",
                atMost: 1.2
            ),
            row("hsip sync over ssh, nothing new", seconds[2], seconds[3], "git fetch", atMost: 1.3),
        ]
    }

    /// One new secret is sent; that it is made is not measured.
    private static func changes(_ homes: [SharedHome], _ hand: HandLog) throws -> [Row] {
        let seconds = try run(
            rounds,
            homes.map { home in { try home.sendChange() } } + [{ try hand.sendFile() }]
        )
        let peer = "git add, commit, push of \(hand.size) bytes"
        return [
            row("hsip sync, one change, \(homes[1].text)", seconds[1], seconds[5], peer, atMost: 1.2)
        ]
            + [(1, 0), (2, 0), (3, 0), (4, 0)].map { (more: Int, fewer: Int) in
                row(
                    "the same, \(homes[more].text)",
                    seconds[more],
                    seconds[fewer],
                    homes[fewer].text,
                    atMost: 1.2
                )
            }
    }

    private static func nothing(_ homes: [SharedHome], _ hand: HandLog) throws -> [Row] {
        let seconds = try run(
            rounds,
            homes[..<3].map { home in { try home.sync(sends: 0) } } + [{ try hand.fetch() }]
        )
        return [
            row("hsip sync, nothing new, \(homes[1].text)", seconds[1], seconds[3], "git fetch", atMost: 1.3),
            row("the same, \(homes[2].text)", seconds[2], seconds[0], homes[0].text),
        ]
    }

    /// A new machine reads everything; that it is admitted is not measured.
    private static func join(
        _ keeper: SharedHome,
        hsip: String,
        _ hand: HandLog,
        in folder: String
    ) throws -> Row {
        var number = 0
        let seconds = try run(
            joins,
            [
                { try keeper.join().seconds },
                {
                    number += 1
                    let home = try SampleHome("\(folder)/hand-\(number)", hsip: hsip)
                    let clone = try hand.clone(keeper.remote, to: home.path + "/clone.git")
                    return clone + (try home.run(["--yes", "vault", "import", keeper.table]).seconds)
                },
            ]
        )
        return row(
            "join, \(keeper.text)",
            seconds[0],
            seconds[1],
            "git clone and hsip vault import",
            atMost: 1.5
        )
    }

    /// Ours beside a peer.
    static func row(
        _ what: String,
        _ ours: [Double],
        _ theirs: [Double],
        _ peer: String,
        atMost factor: Double? = nil
    ) -> Row {
        Row(
            what: what,
            ours: Format.time(Rounds.median(ours)),
            peer: "\(Format.time(Rounds.median(theirs))) \(peer)",
            ratio: Rounds.ratio(ours, theirs),
            target: factor.map { .time(atMost: $0) } ?? .none
        )
    }

    /// Rounds of works that say themselves how long the part of them took that counts.
    static func run(_ rounds: Int, _ works: [() throws -> Double]) throws -> [[Double]] {
        var taken = 0.0
        return try Rounds.run(rounds, works.map { work in { taken = try work() } }) { work in
            try work()
            return taken
        }
    }
}
