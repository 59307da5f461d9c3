public import VaultCrypto

/// An error of the protocol, by its name in Schemas/hsip-xc1.md section 12.
///
/// Payloads are numbers and identifiers, never input text. A refused event has changed nothing.
public enum HSIPError: Error, Equatable, Sendable, Codable {
    // Codes as text and bytes
    case noCode
    case truncated
    case malformed
    case severalCodes
    case legacyLink
    /// A code between one's own machines, which only the commands for machines accept.
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
    /// A second, different answer; `by` is the other identity, nil if it is the same person.
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
    /// A code of suite 01 after suite 02 was used; includes the contact, if known.
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
    /// The message was read before; the time of that is not kept.
    case replayed
    // Files
    /// Not a file that was sealed for a contact.
    case malformedFile
    /// A file that I sealed for a contact; only the contact can open it.
    case ownFile
    /// The end of a file is missing.
    case fileCut
    /// A file was changed after it was sealed, or has more bytes than were sealed.
    case fileChanged
    // Secrets for a contact
    /// Not a secret that was sealed for a contact.
    case malformedGift
    /// A secret that I sealed for a contact; only the contact can open it.
    case ownGift
    // Legacy keys and names
    case keyRefused
    case keyKnown
    case exportRefused
    case ambiguousName
    /// Locked memory is not available; nothing was done.
    case outOfMemory
}

extension HSIPError {
    /// Converts the error of a primitive.
    ///
    /// A bad public key is `badKey`, missing memory is `outOfMemory`, a failed check `badSignature`; everything else (a
    /// wrong size, bad text) is `malformed`. If a failed check has another name, as in opening a message, the caller
    /// translates it.
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
