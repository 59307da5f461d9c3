public import VaultCrypto

/// Every refusal of the protocol, by its name in Schemas/hsip-xc1.md section 12.
///
/// Payloads are numbers and identifiers, never input text. A refused act has changed nothing.
public enum HSIPError: Error, Equatable, Sendable, Codable {
    // Codes as text and bytes
    case noCode
    case truncated
    case malformed
    case severalCodes
    case legacyLink
    /// A code between one's own machines, which only the commands for machines take.
    case machineCode(MachineCode.Kind)
    case unsupportedVersion
    case unsupportedSuite
    case unsupportedFlag
    case singleKeyRefused
    /// The code was made `seconds` ahead of this clock.
    case codeFromFuture(seconds: Int64)
    case codeExpired
    // Pairing
    case offerExpired
    case offerClosed
    case offerSpent
    /// A second, different answer; `by` is the other identity, nil when it is the same person.
    case offerAlreadyUsed(by: PeerID?)
    case unknownOffer
    case unknownContact
    case unknownSession
    case noSession
    case selfPairing
    case identityChanged(old: PeerID, new: PeerID)
    case identityKnown(as: PeerID)
    case identityRevoked
    case nameCollision(existing: PeerID, new: PeerID)
    case badSignature
    case confirmFailed
    case badKey
    /// A code of suite 01 where suite 02 was used before; the contact, where it is known.
    case suiteDowngrade(PeerID?)
    case tooManyOffers
    // Verification
    case verifyMismatch
    case verifyNotForMe
    // Sessions
    case rekeyRequired(code: String?)
    case restored(code: String?)
    case sessionExpired
    case lapsed
    case revoked
    case staleCode
    case attemptsExhausted
    case clockSuspect
    // Messages
    case noMessage
    case unknownSender
    case malformedMessage
    case badPlaintext
    case cannotOpen
    case senderMismatch
    case reflected
    case peerOverLimit
    /// Read before; when that was is not kept.
    case replayed
    // Files
    /// Not a file that was sealed for a contact.
    case malformedFile
    /// A file for a contact that I sealed myself; only they can open it.
    case ownFile
    /// The end of a file is missing.
    case fileCut
    /// A file was changed after it was sealed, or holds more than was sealed.
    case fileChanged
    // Secrets for a contact
    /// Not a secret that was sealed for a contact.
    case malformedGift
    /// A secret for a contact that I sealed myself; only they can open it.
    case ownGift
    // Legacy keys and names
    case keyRefused
    case keyKnown
    case exportRefused
    case ambiguousName
    /// Locked memory was not to be had; nothing was done.
    case outOfMemory
}

extension HSIPError {
    /// Converts the error of a primitive.
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
