internal import FileStore

/// A backup into a folder that has one of the same state already: nothing is written, and the copy is read whole.
enum BackupRows {
    private static let count = 10_000
    private static let rounds = 15

    static func measure(in folder: String) throws -> [Row] {
        try Scratch.makeFolder(folder)
        let vault = try SampleVault(count: count, in: folder)
        let place = "\(folder)/copies"
        try Scratch.makeFolder(place)
        let copies = try BackupFolder(place, label: "vault")
        guard try vault.backUp(into: copies).isNew else { throw BenchmarkError.missingRecord }
        func opened(_ work: () throws -> Void) throws {
            vault.close()
            try vault.reopen()
            try work()
        }
        let seconds = try Rounds.run(
            rounds,
            [
                {
                    try opened {
                        let made = try vault.backUp(into: copies)
                        guard !made.isNew else { throw BenchmarkError.missingRecord }
                    }
                },
                { try opened { try vault.verify() } },
                { try opened { try vault.get(count / 2) } },
            ]
        ) { try Rounds.processorSeconds($0) }
        let peers = [("open and verify", Row.Target.time(atMost: 1.2)), ("cold open and get", .none)]
        return zip(peers, seconds.dropFirst()).map { peer, theirs in
            Row(
                what: "backup of \(count) where nothing changed (processor time)",
                ours: Format.time(Rounds.median(seconds[0])),
                peer: "\(Format.time(Rounds.median(theirs))) our \(peer.0)",
                ratio: Rounds.ratio(seconds[0], theirs),
                target: peer.1
            )
        }
    }
}
