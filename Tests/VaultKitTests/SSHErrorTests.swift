import Foundation
import SSHFormats
import Support
import Testing
import VaultKit

/// The refusals of SSH stand in the table of errors, with the same exit codes.
struct SSHErrorTests {
    private static let errors: [SSHVaultError] = [
        .unknownKey, .keyNameTaken, .badKeyName, .keyInVault, .keyInTrash, .keyNotInUse, .readBackDiffers,
        .unknownHost, .hostNameTaken, .hostInTrash, .hostInVault, .hostKeyChanged, .hostKeyRevoked,
        .trustRequired, .fingerprintDiffers, .unknownHostKey, .format(.badUser), .format(.badLabel),
        .format(.labelIsNoAlias), .format(.unknownAuthentication), .format(.keyReferenceMissing),
        .format(.badReference), .format(.badPath), .format(.badIdentifier),
        .format(.duplicateAlias(index: 1)),
        .format(.badHostPattern),
        .format(.truncated), .format(.oversized(limit: 1)), .format(.trailingBytes), .format(.malformed),
        .format(.badNumber), .format(.malformedBase64), .format(.noKey), .format(.typeMismatch),
        .format(.unsupportedKeyType), .format(.dsaRefused), .format(.rsaTooShort(bits: 1)), .format(.badKey),
        .format(.halvesDiffer), .format(.severalKeys(count: 2)), .format(.unknownCipher),
        .format(.tripleDESRefused), .format(.unknownKDF), .format(.tooManyRounds(rounds: 2, limit: 1)),
        .format(.passphraseNeeded), .format(.wrongPassphrase), .format(.badNamespace), .format(.badHostName),
        .format(.badPort), .format(.badPrincipals), .format(.unsupportedVersion(2)), .format(.outOfMemory),
    ]

    @Test(arguments: errors)
    func `every refusal is in the table`(error: SSHVaultError) throws {
        let file = try #require(try StoreVectors.schema("errors.json") as? [String: Any])
        let rows = try #require(file["errors"] as? [[String: Any]])
        let row = try #require(rows.first { $0["name"] as? String == error.name })
        #expect(row["exit"] as? Int == Int(error.exitCode))
    }
}
