import Foundation
import RecordStore
import Support
import Testing

@testable import SecretServiceStore

/// A vault that is the Secret Service of a session keeps nothing of a vault in it.
struct OwnProviderTests {
    private func session(_ kind: String) throws -> ScratchKeyring {
        let script = ScratchKeyring.script("provider.py")
        return try ScratchKeyring(hasKeyring: false, activated: "/usr/bin/python3 \(script) \(kind)")
    }

    @Test func `a service that is a vault of hsip is refused`() throws {
        let keyring = try session("own")
        #expect(throws: StoreError.ownProvider) {
            try SecretService.connect(environment: keyring.environment, patience: .script)
        }
        // Again, and after the refusal: no connection is kept that passes the question by.
        #expect(throws: StoreError.ownProvider) {
            try SecretService.connect(environment: keyring.environment, patience: .probe)
        }
    }

    @Test func `a service without that property is no vault`() throws {
        let keyring = try session("other")
        let service = try SecretService.connect(environment: keyring.environment, patience: .script)
        #expect(try service.collections() == [])
    }
}
