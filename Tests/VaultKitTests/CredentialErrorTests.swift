import Credentials
import Support
import Testing
import VaultKit

/// The refusals of credentials stand in the table of errors, with the same exit codes.
struct CredentialErrorTests {
    private static let errors: [CredentialError] = [
        .malformed, .unsupportedVersion(2), .badName, .badField, .badTag, .badOrigin, .badTime,
        .valueTooLong(limit: 1), .versionTooLong(limit: 1), .tooManyFields(limit: 1), .tooManyTags(limit: 1),
        .tooMuch(limit: 1), .noFields, .unknownName, .inTrash, .nameTaken, .unknownField,
        .unknownSecretVersion, .kindDiffers, .changedMeanwhile, .unresolved(index: 1, .inTrash), .outOfMemory,
    ]

    @Test(arguments: errors)
    func `every refusal is in the table`(error: CredentialError) throws {
        let file = try #require(try StoreVectors.schema("errors.json") as? [String: Any])
        let rows = try #require(file["errors"] as? [[String: Any]])
        let row = try #require(rows.first { $0["name"] as? String == error.name })
        #expect(row["exit"] as? Int == Int(error.exitCode))
    }
}
