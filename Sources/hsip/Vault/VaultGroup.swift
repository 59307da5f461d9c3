internal import ArgumentParser
internal import Commands
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// The vault itself.
struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract:
            "Manage the vault: passphrases, backups, repair, keys.",
        subcommands: [
            PassphraseCommand.self, SlotGroup.self, KitCommand.self, SharesGroup.self, Check.self,
            BackupCommand.self,
            RestoreCommand.self, RepairCommand.self, RekeyCommand.self, ExposedCommand.self, VaultImport.self,
            VaultExport.self, Migrate.self,
        ]
    )

    /// Reads and checks everything, changes nothing in the vault.
    struct Check: Command {
        static let path = "vault check"
        static let configuration = CommandConfiguration(
            abstract: "Check every record of the vault; change nothing.",
            discussion: """
                  hsip vault check
                """
        )

        func run(_ context: Context) async throws {
            let place = try context.place()
            let found = try context.find(place)
            switch try context.open(found, at: place) {
            case .file(let store): try verify(store, place, context)
            case .keyring(let store): try verify(store, place, context)
            }
        }

        private func verify(_ store: FileStore, _ place: VaultPlace, _ context: Context) throws {
            let report = try context.output.working("verifying…") { () throws(StoreError) in
                try store.inspect()
            }
            try context.refuse(report.damaged, "the others are sound") { count in
                "the vault has \(count) among \(report.records)"
            }
            let restored = try Self.restored(store)
            try context.output.facts(sheet(report, restored, store, place, context))
            try context.output.succeed([
                "vault": .vault(place, .file(store)), "format": 1,
                "keyEpoch": .integer(Int64(report.position.epoch)),
                "generation": .integer(Int64(clamping: report.generation)),
                "floor": .integer(Int64(clamping: report.floor)), "records": .integer(Int64(report.records)),
                "slots": .integer(Int64(report.slots)), "lanes": 128,
                "bodies": .integer(Int64(report.records)), "restoredRecords": .integer(Int64(restored)),
                "headTagBase64": .base64(report.headTag), "anchor": .text(store.anchorFinding.rawValue),
                "foreign": .null, "copies": .null,
            ])
        }

        private func verify(_ store: SecretServiceStore, _ place: VaultPlace, _ context: Context) throws {
            let report = try context.output.working("verifying…") { () throws(StoreError) in
                try store.inspect()
            }
            try context.refuse(report.damaged, "the others are sound") { count in
                "the vault has \(count) beside \(report.records)"
            }
            let status = try store.status()
            let restored = try Self.restored(store)
            var sheet = FactSheet()
            sheet.add(
                "Vault",
                Cell(context.output.display.cell(status.collection.label), value: status.collection.path),
                Cell("sound", tone: .good)
            )
            sheet.add("Id", Hex.encode(store.vaultID))
            sheet.add("Generation", "\(status.position.epoch).\(report.generation)")
            sheet.add("Records", "\(report.records)")
            sheet.add("Restored", "\(restored)")
            sheet.add("Copies", Self.copies(report))
            sheet.add("Foreign", "\(report.strays.count)")
            try context.output.facts(sheet)
            try context.output.succeed([
                "vault": .vault(place, .keyring(store)), "format": 2,
                "keyEpoch": .integer(Int64(status.position.epoch)),
                "generation": .integer(Int64(clamping: report.generation)),
                "floor": .integer(Int64(clamping: status.floor)), "records": .integer(Int64(report.records)),
                "slots": .null, "lanes": .null, "bodies": .integer(Int64(report.records)),
                "restoredRecords": .integer(Int64(restored)), "headTagBase64": .null, "anchor": .null,
                "foreign": .integer(Int64(report.strays.count)),
                "copies": [
                    "differing": .integer(Int64(report.differing.count)),
                    "missing": .integer(Int64(report.unpublished)),
                ],
            ])
        }

        /// What other programs read in the place of the records.
        private static func copies(_ report: KeyringReport) -> String {
            let parts = [
                report.differing.isEmpty ? nil : "\(report.differing.count) differ from their records",
                report.unpublished == 0 ? nil : "\(report.unpublished) are missing",
            ].compactMap(\.self)
            return parts.isEmpty ? "agree with their records" : parts.joined(separator: ", ")
        }

        private static func restored(_ store: any Store) throws(StoreError) -> Int {
            try store.read { reader throws(StoreError) in
                try reader.list(nil).count { $0.predatesRestore }
            }
        }

        private func sheet(
            _ report: VerifyReport,
            _ restored: Int,
            _ store: FileStore,
            _ place: VaultPlace,
            _ context: Context
        ) -> FactSheet {
            let anchor =
                switch store.anchorFinding {
                case .matches: "matches"
                case .raised: "was behind, which is normal after a crash"
                case .created: "was missing; made"
                }
            var sheet = FactSheet()
            sheet.add("Vault", context.path(place.file), Cell("sound", tone: .good))
            sheet.add("Id", Hex.encode(store.vaultID))
            sheet.add("Generation", "\(report.position.epoch).\(report.generation)")
            sheet.add("Records", "\(report.records)")
            sheet.add("Restored", "\(restored)")
            sheet.add("Slots", "\(report.slots)")
            sheet.add("Anchor", Cell(anchor, value: store.anchorFinding.rawValue))
            return sheet
        }
    }
}
