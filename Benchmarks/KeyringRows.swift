/// The keyring through the store, beside libsecret alone and `secret-tool`; and the three kinds of storage side
/// by side.
enum KeyringRows {
    private static let rounds = 15

    /// Rows with targets, measured at the largest size up to 1,000; and the table of all sizes.
    static func measure(
        in folder: String,
        secretTool: String,
        sizes: [Int]
    ) throws -> (rows: [Row], table: [[String]]) {
        let keyring = try SampleKeyring(in: folder)
        let bare = try BareKeyring()
        var rows: [Row] = []
        var table = [["records", "", "vault file", "keyring", "libsecret file"]]
        var simple = 0
        for size in sizes {
            try keyring.grow(to: size)
            if size == sizes.last(where: { $0 <= 1_000 }) ?? size {
                rows = try pairs(keyring, bare) + [list(keyring, secretTool)]
            }
            while simple < size {
                try BareKeyring.simpleStore("site-\(simple)")
                simple += 1
            }
            table += try compare(keyring, in: folder, size)
        }
        return (rows, table)
    }

    /// Calls in turns: ours, and the bare call for the same item.
    private static func pairs(_ keyring: SampleKeyring, _ bare: BareKeyring) throws -> [Row] {
        var get = 0
        try bare.replace()
        let acts: [(String, () throws -> Void, () throws -> Void)] = [
            (
                "get", { for _ in 0..<20 { get += 1; try keyring.get(get % keyring.count) } },
                { for _ in 0..<20 { try bare.get() } }
            ),
            ("put of a new record", keyring.putNew, bare.putNew),
            ("put over a record", keyring.replace, bare.replace),
        ]
        return try acts.map { name, ours, theirs in
            let seconds = try Rounds.run(rounds, [ours, theirs])
            let calls = name == "get" ? 20.0 : 1
            return Row(
                what: "keyring of \(keyring.count): \(name)",
                ours: Format.time(Rounds.median(seconds[0]) / calls),
                peer: "\(Format.time(Rounds.median(seconds[1]) / calls)) bare libsecret call",
                ratio: Rounds.ratio(seconds[0], seconds[1]),
                target: .time(atMost: 1.3)
            )
        }
    }

    /// Connect, open and list, beside `secret-tool search` over the pages.
    private static func list(_ keyring: SampleKeyring, _ secretTool: String) throws -> Row {
        // The variable is for libsecret's file, and secret-tool would follow it too.
        let words = [
            "-u", "SECRET_BACKEND", secretTool, "search", "--all", "--unlock", "xdg:schema",
            "io.hsip.vault.Page", "vault", keyring.vault,
        ]
        let seconds = try Rounds.run(
            3,
            [{ try keyring.openAndList() }, { _ = try Child.run("/usr/bin/env", words, inherits: true) }]
        )
        return Row(
            what: "keyring of \(keyring.count): connect, open, list",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) secret-tool search --all --unlock",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: 0.25)
        )
    }

    /// Put, get and list of the three kinds of storage at one size.
    private static func compare(
        _ keyring: SampleKeyring,
        in folder: String,
        _ size: Int
    ) throws -> [[String]] {
        let file = try SampleVault(count: size, in: folder + "/beside")
        try file.list()
        var number = 0
        func next() -> Int {
            number += 1
            return number % size
        }
        let works: [(String, [() throws -> Void])] = [
            (
                "put",
                [file.put, keyring.putNew, { try BareKeyring.simpleStore("new-\(next())-\(size)") }]
            ),
            (
                "get",
                [
                    { try file.get(next()) }, { try keyring.get(next()) },
                    { try BareKeyring.simpleGet("site-\(next())") },
                ]
            ),
            ("list", [file.list, keyring.list, { try BareKeyring.simpleList(size) }]),
        ]
        let lines = try works.map { act, works in
            let seconds = try Rounds.run(act == "list" ? 3 : 9, works)
            return ["\(size)", act] + seconds.map { Format.time(Rounds.median($0)) }
        }
        try keyring.shrink()
        file.close()
        return lines
    }
}
