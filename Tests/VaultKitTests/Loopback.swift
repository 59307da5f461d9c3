import RecordStore
import Testing
import Text
import VaultCrypto
@testable import VaultKit

/// A way to a vault that passes only bytes: calls are encoded, done by the table, and their answers decoded.
struct Loopback: VaultCarrier {
    let vault: Vault

    func carry(_ call: VaultCall) async throws -> VaultAnswer {
        // What names secrets holds none of them.
        for secret in call.secrets where secret.count >= 8 {
            #expect(!call.arguments.contains(secret.withBytes { $0.copied() }))
        }
        do throws(VaultError) {
            let answer = try await answer(call)
            for secret in answer.secrets where secret.count >= 8 {
                #expect(!answer.result.contains(secret.withBytes { $0.copied() }))
            }
            return answer
        } catch {
            throw try Self.carried(error)
        }
    }

    /// What the table makes of a call.
    func answer(_ call: VaultCall) async throws(VaultError) -> VaultAnswer {
        try await OperationTable.prepare(call).answer(on: vault, for: .own)
    }

    /// An error after the trip.
    static func carried(_ error: VaultError) throws -> VaultError {
        var secrets: [Secret] = []
        let bytes = try CallValue(error, secrets: &secrets).encoded
        return try CallValue(encoded: bytes).decoded(VaultError.self, secrets: secrets)
    }
}
