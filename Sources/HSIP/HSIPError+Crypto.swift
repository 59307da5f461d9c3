public import VaultCrypto

extension HSIPError {
    /// What a failure of a primitive means to the protocol.
    ///
    /// A bad public key is `badKey`, missing memory is `outOfMemory`, a failed check `badSignature`; everything
    /// else (a wrong size, bad text) is `malformed`. Where a failed check has another name, as in opening a
    /// message, the caller translates it.
    public init(_ error: CryptoError) {
        self =
            switch error {
            case .badPublicKey: .badKey
            case .outOfMemory: .outOfMemory
            case .authenticationFailed: .badSignature
            case .wrongSize, .parametersOutOfBounds, .malformedText, .checkFailed: .malformed
            }
    }
}
