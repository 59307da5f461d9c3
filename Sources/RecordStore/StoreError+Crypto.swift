package import VaultCrypto

extension StoreError {
    /// A failure of a primitive, as a store tells it.
    ///
    /// Failed authentication has a place (`TamperedPart`) and is told where the place is known; here it can
    /// only mean bytes that no writer produces.
    package init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self = .outOfMemory
        case .parametersOutOfBounds: self = .kdfOutOfBounds
        case .checkFailed, .malformedText: self = .mistyped
        case .authenticationFailed, .wrongSize, .badPublicKey: self = .corrupt
        }
    }
}
