/// The name of every error, as `error.code` in the JSON output spells it (Schemas/errors.json).
///
/// Names are added, and never taken back or used for something else.
package enum ErrorName: String, CaseIterable, Sendable {
    // The protocol
    case noCode, truncated, malformed, severalCodes, legacyLink, machineCode, unsupportedVersion,
        unsupportedSuite,
        unsupportedFlag, singleKeyRefused, codeFromFuture, codeExpired, offerExpired, offerClosed,
        offerSpent, offerAlreadyUsed, unknownOffer, unknownContact, unknownSession, noSession, selfPairing,
        identityChanged, identityKnown, identityRevoked, nameCollision, badSignature, confirmFailed, badKey,
        verifyMismatch, verifyNotForMe, rekeyRequired, restored, sessionExpired, lapsed, revoked, staleCode,
        attemptsExhausted, tooManyOffers, clockSuspect, noMessage, unknownSender, malformedMessage,
        badPlaintext, cannotOpen, senderMismatch, reflected, peerOverLimit, replayed, keyRefused,
        exportRefused, keyKnown, ambiguousName, outOfMemory
    // Files for contacts
    case malformedFile, ownFile, fileCut, fileChanged
    // Secrets for contacts
    case malformedGift, ownGift, unknownGift, giftOfAnother, contactUnverified, contactSuspicious
    // Texts under a typed key
    case malformedText, textTooLong, notText, emptyKey, unknownTextEntry, badTextEntry,
        malformedTextHistory, textNotOpened
    // The vault
    case unsafeFile, unsuitableFileSystem, notAVault, newerFormat, newerRecord, schemaTampered, tampered,
        corrupt, rollback, fork, anchorRequired, anchorNotWritten, wrongSecret, noSuchSlot, kdfOutOfBounds,
        mistyped,
        conflict, busy, commitUnknown, rekeyed, locked, readOnlyWithLog, readOnly, diskFull, invalidRecord,
        alreadyExists, notFound, slotLimit, lastSlot, io, repairIncomplete,
        backupPlaceMissing
    // Shares of a recovery secret
    case shareWrong, sharesDiffer, sharesWrong
    // The keyring
    case noSessionBus, noSecretService, ownProvider, noSecretLibrary, noSuchCollection, keyringLocked,
        promptDismissed,
        keyringTimeout, keyringDied, keyringRefused, cancelled
    // SSH
    case oversized, trailingBytes, badNumber, malformedBase64, noKey, typeMismatch, unsupportedKeyType,
        dsaRefused, rsaTooShort, halvesDiffer, severalKeys, unknownCipher, tripleDESRefused, unknownKDF,
        tooManyRounds, passphraseNeeded, wrongPassphrase, badNamespace, badHostName, badPort,
        badHostPattern, labelIsNoAlias, duplicateAlias, badPrincipals, unknownSSHKey, sshKeyNameTaken,
        badSSHKeyName, noCertificate, sshKeyKnown, sshKeyInTrash, importIncomplete, sshKeyNotInUse,
        hostNotReached, hostKeyKnown, importConflicts, unknownSSHHost, sshHostNameTaken, sshHostInTrash,
        sshHostKnown, hostKeyChanged, hostKeyRevoked, trustRequired, fingerprintDiffers, unknownHostKey,
        badUser, badLabel, badReference, badPath, unknownAuthentication, keyReferenceMissing, badIdentifier,
        sshNotSetUp, sshSetupDiffers
    // Every command
    case failure, usage, denied, inputNeeded, unavailable, noIdentity, identityExists, unknownOperation,
        malformedCall, notForKeyring, alreadyThere, copyDiffers, malformedInput, helperMissing
    // The audit log
    case auditNoPlace, auditUnsafePlace, auditBusy, auditDiskFull, auditBadKey, auditFailed, auditDamaged
    // The policy
    case badRule, ruleNameTaken, unknownRule, tooManyRules, ruleDamaged, policyRefused, nobodyToAsk
    // The agent
    case noAgent, foreignAgent, agentLost, noAgentPath, agentNotInstalled, agentNotStarted, agentNotStopped,
        promptTimeout, otherVault, vaultGone, replyTooLarge, requestTooLarge, brokenProtocol, agentVersion,
        notSetUp
    // Secrets
    case unknownSecret, secretInTrash, unknownField, unknownSecretVersion, secretNameTaken,
        secretTypeDiffers, secretChanged, badSecretName, badFieldName, badTag, badOrigin, badTime, noFields,
        valueTooLong, secretTooLong, tooManyFields, tooManyTags, tooMuch, malformedSecret, editorFailed,
        noMemoryFolder, badEdit, countersSpent
    // Items of other programs
    case ambiguousItem, badIdentity, providerTaken
    // Items of programs
    case unknownItem, itemInTrash, badItem, tooManyItems
    // Import and export
    case unknownFormat, encryptedImport, emptyImport, nothingImported, zippedImport, exportTampered, tooLarge
    // Secrets for programs
    case badTemplate, badVariable, programNotFound, programNotExecutable, badOneTimeKey, countedPassword
}

extension ErrorName {
    /// The number that a program ends with, and that the C library gives.
    package var exitCode: Int32 {
        switch self {
        // As a shell has it for a program that it cannot start.
        case .programNotExecutable: 126
        case .programNotFound: 127
        case .failure: ExitCode.failure.rawValue
        case .emptyKey, .usage: ExitCode.usage.rawValue
        case .unknownOffer, .unknownContact, .unknownSession, .noSession, .noMessage, .unknownSender,
            .ownFile, .ownGift, .unknownGift, .unknownTextEntry, .noSuchSlot, .notFound, .noSuchCollection,
            .unknownSSHKey,
            .noCertificate, .sshKeyInTrash, .unknownSSHHost, .sshHostInTrash, .unknownHostKey, .noIdentity,
            .sshNotSetUp, .unknownRule, .notSetUp, .unknownSecret, .secretInTrash, .unknownField,
            .unknownSecretVersion, .unknownItem, .itemInTrash:
            ExitCode.notFound.rawValue
        case .offerSpent, .selfPairing, .identityKnown, .staleCode, .attemptsExhausted, .tooManyOffers,
            .keyKnown, .ambiguousName, .conflict, .alreadyExists, .slotLimit, .duplicateAlias,
            .sshKeyNameTaken, .sshKeyKnown, .hostKeyKnown, .sshHostNameTaken, .sshHostKnown,
            .identityExists, .sshSetupDiffers, .ruleNameTaken, .tooManyRules, .alreadyThere,
            .secretNameTaken, .secretTypeDiffers, .secretChanged, .giftOfAnother, .sharesDiffer,
            .providerTaken:
            ExitCode.conflict.rawValue
        case .rekeyed, .locked, .keyringLocked: ExitCode.locked.rawValue
        case .singleKeyRefused, .identityRevoked, .revoked, .keyRefused, .exportRefused, .wrongSecret,
            .lastSlot, .promptDismissed, .cancelled, .dsaRefused, .rsaTooShort, .tooManyRounds,
            .wrongPassphrase, .sshKeyNotInUse, .hostKeyRevoked, .denied, .policyRefused, .nobodyToAsk,
            .contactUnverified, .contactSuspicious:
            ExitCode.denied.rawValue
        case .severalCodes, .nameCollision, .passphraseNeeded, .trustRequired, .inputNeeded,
            .ambiguousItem:
            ExitCode.inputNeeded.rawValue
        case .codeFromFuture, .codeExpired, .offerExpired, .offerClosed, .sessionExpired, .lapsed,
            .clockSuspect:
            ExitCode.expired.rawValue
        case .rekeyRequired, .restored: ExitCode.rekeyRequired.rawValue
        case .busy, .keyringTimeout, .auditBusy, .promptTimeout: ExitCode.busy.rawValue
        case .badSignature, .confirmFailed, .badKey, .cannotOpen, .senderMismatch, .reflected,
            .peerOverLimit, .fileCut, .fileChanged, .textNotOpened, .schemaTampered, .tampered, .corrupt,
            .rollback, .fork, .anchorRequired, .kdfOutOfBounds, .halvesDiffer, .auditBadKey, .auditDamaged,
            .ruleDamaged, .exportTampered, .repairIncomplete, .sharesWrong:
            ExitCode.integrity.rawValue
        case .outOfMemory, .unsafeFile, .unsuitableFileSystem, .newerFormat, .newerRecord, .commitUnknown,
            .anchorNotWritten,
            .readOnlyWithLog, .readOnly, .diskFull, .io, .noSessionBus, .noSecretService, .ownProvider,
            .noSecretLibrary,
            .keyringDied, .keyringRefused, .unsupportedKeyType, .unknownCipher, .tripleDESRefused,
            .unknownKDF, .hostNotReached, .unavailable, .unknownOperation, .notForKeyring, .auditNoPlace,
            .auditUnsafePlace, .auditDiskFull, .auditFailed, .copyDiffers, .noAgent, .foreignAgent,
            .agentLost, .noAgentPath, .agentNotInstalled, .agentNotStarted, .agentNotStopped, .otherVault,
            .vaultGone, .replyTooLarge, .requestTooLarge, .agentVersion, .editorFailed, .noMemoryFolder,
            .helperMissing, .backupPlaceMissing:
            ExitCode.unavailable.rawValue
        case .noCode, .truncated, .malformed, .legacyLink, .machineCode, .unsupportedVersion,
            .unsupportedSuite,
            .unsupportedFlag, .malformedMessage, .badPlaintext, .malformedFile, .malformedGift,
            .malformedText,
            .textTooLong, .notText, .badTextEntry, .malformedTextHistory, .notAVault, .mistyped, .shareWrong,
            .invalidRecord, .oversized, .trailingBytes, .badNumber, .malformedBase64, .noKey, .typeMismatch,
            .severalKeys, .badNamespace, .badHostName, .badPort, .badHostPattern, .labelIsNoAlias,
            .badPrincipals, .badSSHKeyName, .importIncomplete, .badUser, .badLabel, .badReference, .badPath,
            .unknownAuthentication, .keyReferenceMissing, .badIdentifier, .malformedCall, .badRule,
            .malformedInput, .brokenProtocol, .badSecretName, .badFieldName, .badTag, .badOrigin, .badTime,
            .noFields, .valueTooLong, .secretTooLong, .tooManyFields, .tooManyTags, .tooMuch,
            .malformedSecret, .unknownFormat, .encryptedImport, .emptyImport, .nothingImported, .zippedImport,
            .tooLarge,
            .badTemplate, .badVariable, .badOneTimeKey, .countedPassword, .badEdit, .countersSpent,
            .badItem, .tooManyItems,
            .badIdentity:
            ExitCode.malformed.rawValue
        case .offerAlreadyUsed, .replayed: ExitCode.replay.rawValue
        case .identityChanged, .verifyMismatch, .verifyNotForMe, .importConflicts, .hostKeyChanged,
            .fingerprintDiffers:
            ExitCode.changed.rawValue
        }
    }
}
