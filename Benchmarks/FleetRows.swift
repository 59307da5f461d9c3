/// `hsip sync` of vaults that a fleet of machines shares over etcd, beside etcdctl with the same bytes and login.
enum FleetRows {
    private static let rounds = 21
    private static let joins = 3
    /// Rounds in which a machine joins and is removed again.
    private static let turns = 7
    /// How many records and machines the vaults have.
    private static let sizes = [(1_000, 2), (10_000, 2), (100, 2), (100, 8), (100, 64)]

    static func measure(hsip: String, _ server: EtcdServer, in folder: String) async throws -> [Row] {
        try Scratch.makeFolder(folder)
        var homes: [SharedHome] = []
        defer { for home in homes { home.end() } }
        for (records, machines) in sizes {
            homes.append(
                try await SharedHome(records, machines, hsip: hsip, at: .etcd(server), in: folder)
            )
        }
        // The newest entry is then one of a new secret, as those that follow.
        _ = try homes[0].sendChange()
        return try changes(homes, server) + nothing(homes, server) + fleets(Array(homes[2...]))
            + join(homes[1], hsip: hsip, server, in: folder)
    }

    /// One new secret is sent; that it is made is not measured.
    private static func changes(_ homes: [SharedHome], _ server: EtcdServer) throws -> [Row] {
        let size = try server.newestSize("1000-2")
        let seconds = try MachineRows.run(
            rounds,
            homes.map { home in { try home.sendChange() } } + [{ try server.put(size) }]
        )
        let peer = "etcdctl put of \(size) bytes"
        return [
            MachineRows.row(
                "hsip sync over etcd, one change, \(homes[0].text)",
                seconds[0],
                seconds[5],
                peer,
                atMost: 0.3
            )
        ]
            + [1, 3, 4].map { more in
                MachineRows.row(
                    "the same, \(homes[more].text)",
                    seconds[more],
                    seconds[2],
                    homes[2].text,
                    atMost: 1.2
                )
            }
    }

    private static func nothing(_ homes: [SharedHome], _ server: EtcdServer) throws -> [Row] {
        let seconds = try MachineRows.run(
            rounds,
            homes[..<2].map { home in { try home.sync(sends: 0) } } + [{ try server.getHead("1000-2") }]
        )
        return [
            MachineRows.row(
                "hsip sync over etcd, nothing new, \(homes[0].text)",
                seconds[0],
                seconds[2],
                "etcdctl get of the newest place",
                atMost: 0.3
            ),
            MachineRows.row("the same, \(homes[1].text)", seconds[1], seconds[0], homes[0].text),
        ]
    }

    /// A machine joins and is removed again, with 2, 8 and 64 machines in the log.
    private static func fleets(_ homes: [SharedHome]) throws -> [Row] {
        let seconds = try MachineRows.run(
            turns,
            homes.map { home in
                {
                    let new = try home.join()
                    _ = try home.revoke(new.name)
                    return new.seconds
                }
            }
                + homes.map { home in { try home.revoke(try home.join().name) } }
        )
        return [("join", 0), ("hsip machine revoke", 3)].flatMap { what, first in
            [1, 2].map { more in
                MachineRows.row(
                    "\(what) over etcd, \(homes[more].text)",
                    seconds[first + more],
                    seconds[first],
                    homes[0].text,
                    atMost: 1.2
                )
            }
        }
    }

    /// A new machine reads everything; that it is admitted is not measured.
    private static func join(
        _ keeper: SharedHome,
        hsip: String,
        _ server: EtcdServer,
        in folder: String
    ) throws -> [Row] {
        var number = 0
        let size = try server.size("10000-2")
        let seconds = try MachineRows.run(
            joins,
            [
                { try keeper.join().seconds },
                { try server.readAll("10000-2") },
                {
                    number += 1
                    let home = try SampleHome("\(folder)/hand-\(number)", hsip: hsip)
                    return try server.readAll("10000-2")
                        + (try home.run(["--yes", "vault", "import", keeper.table]).seconds)
                },
            ]
        )
        return [
            MachineRows.row(
                "join over etcd, \(keeper.text)",
                seconds[0],
                seconds[1],
                "etcdctl get of its \(size / 1_000_000) MB",
                atMost: 1.5
            ),
            MachineRows.row(
                "the same",
                seconds[0],
                seconds[2],
                "etcdctl get and hsip vault import",
                atMost: 1.5
            ),
        ]
    }
}
