/// The vault as a Secret Service beside GNOME Keyring: the same calls on one connection each, in turns.
///
/// Calls of less than a few milliseconds come in blocks. A single call after a pause mostly measures how long the processor
/// takes to wake the programs, in both services, and hides what a program feels that makes several.
enum ServiceRows {
    /// What is started.
    struct Programs {
        let hsip: String
        /// hsip-secrets.
        let secrets: String
        /// A copy of gnome-keyring-daemon, which needs no capability.
        let keyring: String
        /// dbus-daemon.
        let bus: String
        let secretTool: String
    }

    private static let rounds = 15
    private static let sizes = [10, 1_000, 5_000]
    /// Our time over the peer's at most, at each of the sizes; and ours of the largest over that of the smallest.
    private static let targets: [(act: String, ratios: [Double], growth: Double?)] = [
        ("search + get", [1, 1, 0.5], 1.3), ("GetSecret", [1, 1, 1], 1.3), ("miss", [1, 1, 0.5], 1.3),
        ("search, all hit", [0.9, 0.9, 0.4], nil), ("GetSecrets of 10", [1, 1, 0.6], 1.3),
        ("GetSecrets of 100", [1, 1, 0.6], nil),
        ("replace", [0.4, 0.05, 0.01], 1.5), ("store new", [0.4, 0.05, 0.01], 1.5),
    ]
    /// Calls of a block.
    private static let block = 20

    /// All rows; filling 5,000 takes a minute or two.
    ///
    /// - Parameters:
    ///   - programs: what is started.
    ///   - chosen: which of the sizes are wanted; nil for all.
    ///   - folder: where everything lies.
    /// - Returns: the rows; growth is among them where all sizes are wanted.
    /// - Throws: `BenchmarkError` where a service does not answer as it should.
    static func measure(_ programs: Programs, sizes chosen: [Int]?, in folder: String) throws -> [Row] {
        try Scratch.makeFolder(folder)
        let wanted = sizes.enumerated().filter { chosen?.contains($0.element) ?? true }
        var rows: [Row] = []
        var ours: [[Double]] = targets.map { _ in [] }
        for (place, size) in wanted {
            let pair = try ServicePair(items: size, programs, in: "\(folder)/\(size)")
            defer { pair.end() }
            if rows.isEmpty { rows += try once(pair, programs) }
            for (act, target) in targets.enumerated() {
                let calls = ["replace", "store new", "search, all hit"].contains(target.act) ? 1 : block
                let blocks = works(target.act, pair, size).map { work in { for _ in 0..<calls { try work() } }
                }
                let seconds = try Rounds.run(rounds, blocks).map { $0.map { $0 / Double(calls) } }
                ours[act].append(Rounds.median(seconds[0]))
                rows.append(
                    row("service of \(size): \(target.act)", seconds, "GNOME Keyring", target.ratios[place])
                )
            }
        }
        for (target, medians) in zip(targets, ours) where wanted.count == sizes.count {
            guard let growth = target.growth, let first = medians.first, let last = medians.last else {
                continue
            }
            rows.append(
                Row(
                    what: "service: \(target.act), 5,000 items",
                    ours: Format.time(last),
                    peer: "\(Format.time(first)) 10 items",
                    ratio: last / first,
                    target: .time(atMost: growth)
                )
            )
        }
        return rows
    }

    /// What does not depend on how many items there are.
    private static func once(_ pair: ServicePair, _ programs: Programs) throws -> [Row] {
        try pair.lets(programs.secretTool)
        let tool = programs.secretTool
        let sessions = try Rounds.run(rounds, [pair.ours.agree, pair.theirs.agree])
        let lookups = try Rounds.run(
            rounds,
            [{ try pair.ours.lookup(3, secretTool: tool) }, { try pair.theirs.lookup(3, secretTool: tool) }]
        )
        return [
            row("service: session with key agreement", sessions, "GNOME Keyring", 1),
            row("service: secret-tool lookup", lookups, "GNOME Keyring", 1),
        ]
    }

    /// One act, ours and theirs.
    private static func works(_ act: String, _ pair: ServicePair, _ size: Int) -> [() throws -> Void] {
        [pair.ours, pair.theirs].map { service in
            var number = 0
            return {
                number += 1
                switch act {
                case "search + get": try service.get(number % size)
                case "GetSecret": try service.value()
                case "miss": try service.miss()
                case "search, all hit": try service.findAll(size)
                case "GetSecrets of 10": try service.values(10)
                case "GetSecrets of 100": try service.values(min(size, 100))
                case "replace": try service.store(number % size, replaces: true)
                default: try service.store(size + number)
                }
            }
        }
    }

    private static func row(_ what: String, _ seconds: [[Double]], _ peer: String, _ most: Double) -> Row {
        Row(
            what: what,
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) \(peer)",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: most)
        )
    }
}
