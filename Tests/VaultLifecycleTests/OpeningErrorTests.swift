import RecordStore
import System
import Testing
import VaultCrypto

@testable import VaultLifecycle

/// The one place where an error of a lower module becomes a reason why no vault was opened.
struct OpeningErrorTests {
    @Test func `an error of each kind becomes a reason of its own case`() {
        let pairs: [(any Error, OpeningError)] = [
            (OpeningError.badPIN, .badPIN),
            (HardwareError.key(.otherKey), .hardware(.key(.otherKey))),
            (ProgramError.noSuchFile, .file(.noSuchFile)),
            (StoreError.busy, .store(.busy)),
            (CryptoError.outOfMemory, .store(.outOfMemory)),
        ]
        for (error, expected) in pairs {
            #expect(throws: expected) { try asOpeningError { throw error } }
        }
    }

    @Test func `an error of an unknown kind opens nothing`() {
        #expect(throws: OpeningError.store(.corrupt)) { try asOpeningError { throw CancellationError() } }
    }
}
