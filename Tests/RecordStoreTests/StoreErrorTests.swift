import RecordStore
import Support
import Testing

@Suite struct StoreErrorTests {
    private static let all: [StoreError] = [
        .unsafeFile(path: "/x", .mode(0o644)), .unsuitableFileSystem(type: 1), .notAVault,
        .newerFormat(found: 2, supported: 1), .newerRecord, .schemaTampered, .tampered(.head), .corrupt,
        .alreadyExists, .notFound, .wrongSecret, .noSuchSlot, .kdfOutOfBounds, .outOfMemory, .mistyped,
        .slotLimit, .lastSlot, .locked,
        .rollback(found: Position(epoch: 1, generation: 1), expected: Position(epoch: 1, generation: 2)),
        .fork, .anchorRequired, .anchorNotWritten(path: "/x"), .rekeyed, .conflict, .busy, .commitUnknown,
        .invalidRecord(.name), .readOnly, .readOnlyWithLog, .diskFull, .io(code: 5), .noSessionBus,
        .noSecretService, .noSecretLibrary,
        .noSuchCollection, .keyringLocked, .promptDismissed, .keyringTimeout, .keyringDied,
        .keyringRefused(code: 1), .cancelled,
    ]

    @Test func `every error has the name and exit code of the table`() throws {
        let file = try #require(try StoreVectors.schema("errors.json") as? [String: Any])
        let table = try #require(file["errors"] as? [[String: Any]])
        for error in Self.all {
            let row = try #require(table.first { $0["name"] as? String == error.name }, "\(error.name)")
            #expect(row["exit"] as? Int == Int(error.exitCode), "\(error.name)")
        }
        let ours = table.filter { row in
            let source = row["source"] as? String ?? ""
            return source.hasPrefix("vault-file.md") || source.hasPrefix("secret-service.md")
        }
        .filter { $0["kind"] as? String == "error" }.compactMap { $0["name"] as? String }
        #expect(Set(ours).isSubset(of: Set(Self.all.map(\.name))))
    }
}
