import RecordStore
import System
import Testing
@testable import VaultLifecycle

/// The one place where an error of a lower module becomes a reason why no vault was opened.
struct OpeningErrorTests {
    @Test func `an error of each kind becomes a reason of its own case`() {
        let pairs: [(any Error, OpeningError)] = [
            (OpeningError.badPIN, .badPIN),
            (HardwareError.key(.otherKey), .hardware(.key(.otherKey))),
            (ProgramError.noSuchFile, .file(.noSuchFile)),
            (StoreError.busy, .store(.busy)),
        ]
        for (error, expected) in pairs {
            #expect(throws: expected) { try opening { throw error } }
        }
    }

    @Test func `an error of an unknown kind opens nothing`() {
        #expect(throws: OpeningError.store(.corrupt)) { try opening { throw CancellationError() } }
    }
}
