internal import ArgumentParser
internal import Commands
internal import FileStore
internal import HSIP
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultKit
internal import VaultLifecycle

extension SharesGroup {
    /// What there is.
    struct List: Command {
        static let path = "vault shares list"
        static let configuration = CommandConfiguration(
            abstract: "List the shares, how many are needed and who has them.",
            discussion: """
                The vault does not know who has shares on paper.

                  hsip vault shares list
                """
        )

        /// Shares of one making.
        private struct Row {
            let sharing: Sharing
            /// Nil for shares that open nothing here.
            let slot: SlotInfo?
            /// Nil for shares on paper.
            let held: SharesSummary?
        }

        func run(_ context: Context) async throws {
            let store = try SlotMaking.open(context).store
            let rows = Self.rows(
                try store.slots(),
                try await context.vault(over: store).ownService(Operations.shares)
            )
            var table = Table([
                Column("slot", .right), Column("open it", .right, .whole), Column("shares", .right),
                Column("made", .left, .whole), Column("held by", spare: 1),
            ])
            for row in rows {
                let made = row.slot.map { Int64(clamping: $0.created / 1_000) }
                let time = made ?? Int64(clamping: row.held?.at ?? 0)
                table.add([
                    row.slot.map { Cell("\($0.number)") } ?? Cell("none", tone: .soon),
                    Cell("\(row.sharing.threshold)"), Cell("\(row.sharing.count)"),
                    Cell(Times.date(time), value: Times.rfc3339(time)),
                    Cell(row.held.map { Self.names($0, context.output.display) } ?? "paper"),
                ])
            }
            if rows.isEmpty { context.output.note("no shares of this vault were made") }
            try context.output.table(table)
            if rows.contains(where: { $0.slot == nil }) {
                context.output.note("shares without a slot open nothing here; they may still open old copies")
            }
            try context.output.succeed([
                "sharings": .list(rows.map { .sharing($0.sharing, $0.slot, $0.held) })
            ])
        }

        /// The slots of shares, and then what contacts hold that opens none.
        private static func rows(_ slots: [SlotInfo], _ shares: [SharesSummary]) -> [Row] {
            let open = slots.compactMap { slot in
                Sharing(slot).map { sharing in
                    Row(
                        sharing: sharing,
                        slot: slot,
                        held: shares.first { $0.identifier == sharing.identifier }
                    )
                }
            }
            let known = Set(open.compactMap(\.sharing.identifier))
            let lost = shares.filter { !known.contains($0.identifier) }.compactMap { held in
                Sharing(label: held.name).map { Row(sharing: $0, slot: nil, held: held) }
            }
            return open + lost
        }

        private static func names(_ held: SharesSummary, _ display: Display) -> String {
            held.holders.map { holder in
                display.cell(holder.contact ?? holder.peerID.text)
                    + (holder.withdrawnAt == nil ? "" : " (withdrawn)")
            }.joined(separator: ", ")
        }
    }
}

extension JSONValue {
    /// Shares that were made (Schemas/cli/slot.schema.json).
    static func sharing(_ sharing: Sharing, _ slot: SlotInfo?, _ held: SharesSummary?) -> JSONValue {
        let slot: JSONValue = slot.map { .slot($0) } ?? .null
        let holders: JSONValue = held.map { .list($0.holders.map { holder($0) }) } ?? .null
        return [
            "slot": slot, "threshold": .integer(Int64(sharing.threshold)),
            "count": .integer(Int64(sharing.count)), "holders": holders,
        ]
    }

    private static func holder(_ holder: SharesSummary.Holder) -> JSONValue {
        [
            "contact": .optional(holder.contact), "peerId": .text(holder.peerID.text),
            "withdrawnAt": .time(holder.withdrawnAt.map { Int64(clamping: $0) }),
        ]
    }
}
