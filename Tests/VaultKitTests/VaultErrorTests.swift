import HSIP
import RecordStore
import SSHFormats
import Secrets
import SharedLog
import Testing
import Text
import VaultCrypto
import VaultPolicy
@testable import VaultKit

/// The one place where an error of a lower module becomes an error of the vault.
struct VaultErrorTests {
    @Test func `an error of each kind leaves the vault under its own case`() {
        let pairs: [(any Error, VaultError)] = [
            (VaultError.noIdentity, .noIdentity),
            (HSIPError.noCode, .hsip(.noCode)),
            (StoreError.busy, .store(.busy)),
            (CryptoError.outOfMemory, .store(.outOfMemory)),
            (SSHFormatError.badHostName, .ssh(.format(.badHostName))),
            (SSHVaultError.unknownKey, .ssh(.unknownKey)),
            (CredentialError.badName, .secret(.badName)),
            (GiftError.unknown, .gift(.unknown)),
            (ItemError.inTrash, .item(.inTrash)),
            (ServiceError.valueTooLong(limit: 7), .item(.valueTooLong(limit: 7))),
            (OneTimeError.malformed, .oneTime(.malformed)),
            (AuditError.badKey, .audit(.badKey)),
            (RuleRefusal.tooMany, .rule(.tooMany)),
            (RuleError.badName, .rule(.bad(.badName))),
            (LogError(.noLog), .log(LogError(.noLog))),
            (TextHistoryError.unknownEntry, .text(.unknownEntry)),
            (CallFormatError.malformed, .malformedCall),
        ]
        for (error, expected) in pairs {
            #expect(throws: expected) { try asVaultError { throw error } }
        }
    }

    @Test func `an error of an unknown kind leaves the vault as malformed`() {
        #expect(throws: VaultError.hsip(.malformed)) { try asVaultError { throw CancellationError() } }
    }
}
