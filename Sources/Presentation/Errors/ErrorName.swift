/// The names of all errors, as in `error.code` of the JSON output, with exit codes and meanings.
///
/// Names may be added, but are never removed or reused. `Scripts/errors` generates the lists in Schemas.
package enum ErrorName: String, CaseIterable, Sendable {
    case noCode, truncated, malformed, severalCodes, legacyLink, machineCode, unsupportedVersion,
        unsupportedSuite, unsupportedFlag, singleKeyRefused, codeFromFuture, codeExpired, offerExpired,
        offerClosed, offerSpent, offerAlreadyUsed, unknownOffer, unknownContact, unknownSession, noSession,
        selfPairing, identityChanged, identityKnown, identityRevoked, nameCollision, badSignature,
        confirmFailed, badKey, suiteDowngrade, verifyMismatch, verifyNotForMe, rekeyRequired, restored,
        sessionExpired,
        lapsed, revoked, staleCode, attemptsExhausted, tooManyOffers, clockSuspect, noMessage, unknownSender,
        malformedMessage, badPlaintext, cannotOpen, senderMismatch, reflected, peerOverLimit, replayed,
        keyRefused, exportRefused, keyKnown, ambiguousName, outOfMemory, malformedFile, ownFile, fileCut,
        fileChanged, malformedGift, ownGift, unknownGift, giftOfAnother, contactUnverified, contactSuspicious,
        malformedText, textTooLong, notText, emptyKey, unknownTextEntry, badTextEntry, malformedTextHistory,
        textNotOpened, unsafeFile, unsuitableFileSystem, notAVault, newerFormat, newerRecord, schemaTampered,
        tampered, corrupt, rollback, fork, anchorRequired, anchorNotWritten, wrongSecret, noSuchSlot,
        kdfOutOfBounds, mistyped, conflict, busy, commitUnknown, rekeyed, locked, readOnlyWithLog, readOnly,
        diskFull, invalidRecord, alreadyExists, notFound, slotLimit, lastSlot, io, repairIncomplete,
        backupPlaceMissing, shareWrong, sharesDiffer, sharesWrong, noSessionBus, noSecretService, ownProvider,
        noSecretLibrary, noSuchCollection, keyringLocked, promptDismissed, keyringTimeout, keyringDied,
        keyringRefused, cancelled, oversized, trailingBytes, badNumber, malformedBase64, noKey, typeMismatch,
        unsupportedKeyType, dsaRefused, rsaTooShort, halvesDiffer, severalKeys, unknownCipher,
        tripleDESRefused, unknownKDF, tooManyRounds, passphraseNeeded, wrongPassphrase, badNamespace,
        badHostName, badPort, badHostPattern, labelIsNoAlias, duplicateAlias, badPrincipals, unknownSSHKey,
        sshKeyNameTaken, badSSHKeyName, noCertificate, sshKeyKnown, sshKeyInTrash, importIncomplete,
        sshKeyNotInUse, hostNotReached, hostKeyKnown, importConflicts, unknownSSHHost, sshHostNameTaken,
        sshHostInTrash, sshHostKnown, hostKeyChanged, hostKeyRevoked, trustRequired, fingerprintDiffers,
        unknownHostKey, badUser, badLabel, badReference, badPath, unknownAuthentication, keyReferenceMissing,
        badIdentifier, sshNotSetUp, sshSetupDiffers, failure, usage, denied, inputNeeded, unavailable,
        noIdentity, identityExists, unknownOperation, malformedCall, notForKeyring, alreadyThere, copyDiffers,
        malformedInput, helperMissing, auditNoPlace, auditUnsafePlace, auditBusy, auditDiskFull, auditBadKey,
        auditFailed, auditDamaged, badRule, ruleNameTaken, unknownRule, tooManyRules, ruleDamaged,
        policyRefused, nobodyToAsk, unknownLease, unknownRequest, noAgent, foreignAgent, agentLost,
        noAgentPath, agentNotInstalled,
        agentNotStarted, agentNotStopped, promptTimeout, otherVault, vaultGone, replyTooLarge,
        requestTooLarge, brokenProtocol, agentVersion, notSetUp, unknownSecret, secretInTrash, unknownField,
        unknownSecretVersion, secretNameTaken, secretTypeDiffers, secretChanged, badSecretName, badFieldName,
        badTag, badOrigin, badTime, noFields, valueTooLong, secretTooLong, tooManyFields, tooManyTags,
        tooMuch, malformedSecret, editorFailed, noMemoryFolder, badEdit, countersSpent, ambiguousItem,
        badIdentity, providerTaken, unknownItem, itemInTrash, badItem, tooManyItems, unknownFormat,
        encryptedImport, emptyImport, nothingImported, zippedImport, exportTampered, tooLarge, badTemplate,
        badVariable, programNotFound, programNotExecutable, badOneTimeKey, countedPassword, noLog, logExists,
        otherJoin, numberDiffers, unknownMachine, alreadyMember, machineNameTaken, notAllowed, lastKeeper,
        machineRevoked, massRemoval, admitOutdated, logTampered, logForked, logBehind, logDamaged, historyGap,
        stateDiffers, vaultBehindLog, machineCloned, newerEntry, logTooLarge, logUnreachable, logFull,
        logRefused, notTrusted, copiedFolder, noConflict, nameMeansOther,
        headAhead, logRecordsLost, badPIN, pinWrong, noHardwareHelper, noHardwareLibrary, noTPM, tpmDenied,
        tpmOwned, tpmOther, tpmState, tpmLockout, tpmBusy, tpmFailed, noSecurityKey, securityKeyOther,
        securityKeyUnfit, securityKeyDenied, securityKeyBusy, securityKeyGone, securityKeyFailed, pinPaused,
        pinBlocked, pinNeeded, lastTries, verificationChanged, touchTimeout, touchRefused,
        sshKeyInHardware
}

extension ErrorName {
    /// The exit code of a program, and the result of the C library.
    package var exitCode: Int32 {
        switch self {
        // The exit code of a shell for a program that it cannot start.
        case .programNotExecutable: 126
        case .programNotFound: 127
        default: row.exit.rawValue
        }
    }

    /// One sentence for the readers of Schemas/errors.json.
    package var meaning: String { row.meaning }

    private var row: (exit: ExitCode, meaning: String) {
        switch self {
        // The protocol
        case .noCode: (.malformed, "No code in the text.")
        case .truncated: (.malformed, "A code is cut, or interrupted.")
        case .malformed: (.malformed, "Not a valid code, name, range or field.")
        case .severalCodes: (.inputNeeded, "Two different codes and no one to ask.")
        case .legacyLink: (.malformed, "A link of an older program; it makes no session.")
        case .machineCode:
            (.malformed, "A code between one's own machines came in place of one between people.")
        case .unsupportedVersion: (.malformed, "A newer program made the code, file or record.")
        case .unsupportedSuite: (.malformed, "A newer program made the code: its suite is unknown.")
        case .unsupportedFlag: (.malformed, "A newer program made the code: it has an unknown flag.")
        case .singleKeyRefused: (.denied, "The code asks for one shared key.")
        case .codeFromFuture: (.expired, "The code was made more than 600 s after this clock.")
        case .codeExpired: (.expired, "The code is past its time, or the epoch it makes is over already.")
        case .offerExpired: (.expired, "The answer comes too late for its offer.")
        case .offerClosed: (.expired, "The offer of this answer was closed here.")
        case .offerSpent: (.conflict, "The offer was used before, and its contact or session is gone.")
        case .offerAlreadyUsed: (.replay, "A second, different answer to an offer.")
        case .unknownOffer: (.notFound, "No such offer here.")
        case .unknownContact: (.notFound, "No such contact.")
        case .unknownSession: (.notFound, "No epoch has the ref of a session notice.")
        case .noSession: (.notFound, "No pairing to use.")
        case .selfPairing: (.conflict, "The offer or identity is this vault's own.")
        case .identityChanged: (.changed, "A named contact came with another key.")
        case .identityKnown: (.conflict, "This identity is another contact here.")
        case .identityRevoked: (.denied, "The identity behind this code was revoked by its owner.")
        case .nameCollision: (.inputNeeded, "Another contact has this alias.")
        case .badSignature: (.integrity, "A signature or MAC does not verify.")
        case .confirmFailed: (.integrity, "Key confirmation does not match.")
        case .badKey: (.integrity, "A key of low order, used twice, or not of its kind.")
        case .suiteDowngrade: (.denied, "A code of suite 01 from a contact who had suite 02 before.")
        case .verifyMismatch: (.changed, "The first half of a VERIFY is not this contact's.")
        case .verifyNotForMe: (.changed, "The second half of a VERIFY is not this vault's.")
        case .rekeyRequired: (.rekeyRequired, "No message is left in this epoch; renew first.")
        case .restored: (.rekeyRequired, "A backup was restored; renew before sealing.")
        case .sessionExpired: (.expired, "The epoch of the session is over.")
        case .lapsed: (.expired, "The session is over and can no longer be renewed.")
        case .revoked: (.denied, "The session was ended.")
        case .staleCode: (.conflict, "The code belongs to no live epoch or attempt.")
        case .attemptsExhausted: (.conflict, "65,535 attempts to rotate this epoch.")
        case .tooManyOffers: (.conflict, "32 open offers without a contact.")
        case .clockSuspect:
            (.expired, "The clock is over 1 h behind, or an older pairing would outrank a new one.")
        case .noMessage: (.notFound, "No message for this vault in the text.")
        case .unknownSender: (.notFound, "The sender of the message is not known here.")
        case .malformedMessage: (.malformed, "The message is damaged: base64, length, version or UTF-8.")
        case .badPlaintext: (.malformed, "The text holds U+0000 or is too long.")
        case .cannotOpen: (.integrity, "No key of that contact opens the message.")
        case .senderMismatch: (.integrity, "The header names another sender than the key.")
        case .reflected: (.integrity, "A message of this vault came back as if from the peer.")
        case .peerOverLimit: (.integrity, "The peer sent more messages than the epoch allows.")
        case .replayed: (.replay, "The message was read before.")
        case .keyRefused: (.denied, "The key is a dummy.")
        case .exportRefused: (.denied, "A session made by pairing is never exported.")
        case .keyKnown: (.conflict, "The key is known here already.")
        case .ambiguousName: (.conflict, "Two contacts have this alias.")
        case .outOfMemory: (.unavailable, "There was not enough memory; nothing was done.")
        // Files for contacts
        case .malformedFile: (.malformed, "Not a file that was sealed for a contact.")
        case .ownFile: (.notFound, "A file that this vault sealed itself.")
        case .fileCut: (.integrity, "The end of a sealed file is missing.")
        case .fileChanged: (.integrity, "A sealed file was changed, or holds more than was sealed.")
        // Secrets for contacts
        case .malformedGift: (.malformed, "Not a secret that was sealed for a contact, or not in its form.")
        case .ownGift: (.notFound, "A secret for a contact that this vault sealed itself.")
        case .unknownGift: (.notFound, "A contact was not given such a secret, or did not give one.")
        case .giftOfAnother: (.conflict, "A parcel has the number of a gift that is not its sender's.")
        case .contactUnverified: (.denied, "A secret goes only to a contact who was compared.")
        case .contactSuspicious:
            (.denied, "Another person answered the same offer; nothing is sent or accepted.")
        // Texts under a typed key
        case .malformedText: (.malformed, "Not a text that was encrypted under a typed key.")
        case .textTooLong: (.malformed, "A text of more than 1 MiB.")
        case .notText: (.malformed, "The text to encrypt is not UTF-8.")
        case .emptyKey: (.usage, "The key is empty.")
        case .unknownTextEntry: (.notFound, "The history of texts has no entry of this number.")
        case .badTextEntry: (.malformed, "Only an encrypted text can be remembered.")
        case .malformedTextHistory: (.malformed, "The record of the history of texts is not in its form.")
        case .textNotOpened: (.integrity, "The typed key is wrong, or the text was changed.")
        // The vault
        case .unsafeFile: (.unavailable, "Owner, mode, links or type of a file or folder are not safe.")
        case .unsuitableFileSystem: (.unavailable, "The vault is on a network file system.")
        case .notAVault: (.malformed, "Not a vault file.")
        case .newerFormat: (.unavailable, "The vault file was made by a newer program.")
        case .newerRecord: (.unavailable, "The record was made by a newer program.")
        case .schemaTampered: (.integrity, "The schema of the file differs from the schema of this format.")
        case .tampered: (.integrity, "The content of the vault was changed from outside.")
        case .corrupt: (.integrity, "The file is damaged below the level of records.")
        case .rollback: (.integrity, "The vault is older than what was seen here before.")
        case .fork: (.integrity, "The vault has another history than what was seen here before.")
        case .anchorRequired: (.integrity, "An anchor is required and there is none.")
        case .anchorNotWritten:
            (.unavailable, "The anchor was not written, and the keyring may lose the last change.")
        case .wrongSecret: (.denied, "No slot opens with this secret.")
        case .noSuchSlot: (.notFound, "No slot of that kind, or number.")
        case .kdfOutOfBounds: (.integrity, "Key derivation parameters are outside the bounds.")
        case .mistyped: (.malformed, "The check of a recovery code is wrong.")
        case .conflict: (.conflict, "A record, or the floor, has changed meanwhile.")
        case .busy:
            (
                .busy,
                "A lock was not free within 10 s, the agent is full, or a file changed while it was read."
            )
        case .commitUnknown: (.unavailable, "The next look shows whether a commit is on the disk.")
        case .rekeyed: (.locked, "Another process changed the vault key.")
        case .locked: (.locked, "The vault is locked.")
        case .readOnlyWithLog: (.unavailable, "The medium is read-only and the vault has an open log.")
        case .readOnly: (.unavailable, "The vault, or its medium, can only be read.")
        case .diskFull: (.unavailable, "The disk is full.")
        case .invalidRecord: (.malformed, "A kind, name, attribute or size outside the limits.")
        case .alreadyExists: (.conflict, "There is a vault, or record, of that name.")
        case .notFound: (.notFound, "There is no vault, or record, of that name.")
        case .slotLimit: (.conflict, "At most 16 slots, and 4 of a kind.")
        case .lastSlot: (.denied, "The last slot that also works on another machine cannot be removed.")
        case .io: (.unavailable, "The operating system reported an error.")
        case .repairIncomplete:
            (.integrity, "Parts of a damaged vault were not repaired, or cannot be vouched for.")
        case .backupPlaceMissing: (.unavailable, "The folder for backups is missing; is its disk connected?")
        // Shares of a recovery secret
        case .shareWrong: (.malformed, "The words are not a share of a vault, or a word is wrong.")
        case .sharesDiffer: (.conflict, "A share is of another set than the first one, or was given twice.")
        case .sharesWrong: (.integrity, "The shares of one set do not give the secret that was shared.")
        // The keyring
        case .noSessionBus:
            (.unavailable, "No session bus: a login without a desktop, over SSH, in a container.")
        case .noSecretService:
            (.unavailable, "The session bus has no Secret Service, and could not start one.")
        case .ownProvider: (.unavailable, "The Secret Service of this session is a vault of hsip.")
        case .noSecretLibrary: (.unavailable, "libsecret is not installed.")
        case .noSuchCollection: (.notFound, "The Secret Service has no such collection, or no default one.")
        case .keyringLocked: (.locked, "The collection is locked, and no one may be asked.")
        case .promptDismissed: (.denied, "A person was asked to unlock the collection and said no.")
        case .keyringTimeout: (.busy, "The Secret Service did not answer in time.")
        case .keyringDied: (.unavailable, "The Secret Service or the bus went away in the middle of a call.")
        case .keyringRefused: (.unavailable, "The Secret Service refused a call.")
        case .cancelled: (.denied, "The caller cancelled the call.")
        // SSH
        case .oversized: (.malformed, "A field is longer than it may be.")
        case .trailingBytes: (.malformed, "Something follows where a form ends.")
        case .badNumber: (.malformed, "A number of a key is negative or too long.")
        case .malformedBase64: (.malformed, "Text that should be base64 is not.")
        case .noKey: (.malformed, "There is no private key in the text.")
        case .typeMismatch: (.malformed, "A key names two different types.")
        case .unsupportedKeyType: (.unavailable, "A type of key that cannot do what was asked.")
        case .dsaRefused: (.denied, "DSA keys are refused.")
        case .rsaTooShort: (.denied, "An RSA key has too few bits.")
        case .halvesDiffer: (.integrity, "The private and the public half are not of one key.")
        case .severalKeys: (.malformed, "A file holds several keys; only one is accepted.")
        case .unknownCipher: (.unavailable, "A key file is encrypted with an unknown cipher.")
        case .tripleDESRefused: (.unavailable, "A key file is encrypted with 3des-cbc.")
        case .unknownKDF: (.unavailable, "A key file derives its key in an unknown way.")
        case .tooManyRounds: (.denied, "Opening a key file needs too many rounds of bcrypt.")
        case .passphraseNeeded: (.inputNeeded, "A key file has a passphrase, and no one could be asked.")
        case .wrongPassphrase: (.denied, "The passphrase of a key file is wrong, or the file is damaged.")
        case .badNamespace: (.malformed, "Not a namespace of signatures.")
        case .badHostName: (.malformed, "Not the name of a host.")
        case .badPort: (.malformed, "A port that is not 1 to 65535.")
        case .badHostPattern: (.malformed, "Not the names of a line in known_hosts.")
        case .labelIsNoAlias: (.malformed, "A name that cannot be typed after ssh.")
        case .duplicateAlias: (.conflict, "Two host profiles have one name.")
        case .badPrincipals: (.malformed, "Not the names of signers.")
        case .unknownSSHKey: (.notFound, "No SSH key of that name.")
        case .sshKeyNameTaken: (.conflict, "Another SSH key has this name.")
        case .badSSHKeyName: (.malformed, "A name that an SSH key cannot have.")
        case .noCertificate: (.notFound, "The SSH key has no certificate.")
        case .sshKeyKnown: (.conflict, "The SSH key is in the vault already.")
        case .sshKeyInTrash: (.notFound, "The SSH key is in the trash.")
        case .importIncomplete: (.malformed, "Some of several files could not be imported; see the details.")
        case .sshKeyNotInUse: (.denied, "The SSH key is retired or kept aside.")
        case .sshKeyInHardware: (.denied, "The SSH key is in a security key, which makes its keys itself.")
        case .hostNotReached: (.unavailable, "A host shows no key: it does not answer, or speaks no ssh.")
        case .hostKeyKnown: (.conflict, "The host shows its known key; there is nothing to replace.")
        case .importConflicts:
            (.changed, "A known_hosts file and the vault have different keys; see the details.")
        case .unknownSSHHost: (.notFound, "No host profile of that name.")
        case .sshHostNameTaken: (.conflict, "Another host profile has this name.")
        case .sshHostInTrash: (.notFound, "The host profile is in the trash.")
        case .sshHostKnown: (.conflict, "A host profile with this identifier is in the vault already.")
        case .hostKeyChanged: (.changed, "Another key is known for this host.")
        case .hostKeyRevoked: (.denied, "The key was revoked for this host.")
        case .trustRequired:
            (.inputNeeded, "A host or its key is new, and no one could be asked to compare the key.")
        case .fingerprintDiffers: (.changed, "The key does not have the fingerprint that was expected.")
        case .unknownHostKey: (.notFound, "The vault knows no such key of this host.")
        case .badUser: (.malformed, "Not the name of a user.")
        case .badLabel: (.malformed, "A label is too long, or holds what cannot be seen.")
        case .badReference: (.malformed, "Not the name of a key or password.")
        case .badPath: (.malformed, "Not a path, or a path with characters that a shell interprets.")
        case .unknownAuthentication: (.malformed, "An unknown way to log in.")
        case .keyReferenceMissing: (.malformed, "A login by key without saying by which.")
        case .badIdentifier: (.malformed, "Not an identifier of 32 hexadecimal digits.")
        case .sshNotSetUp: (.notFound, "ssh does not ask this vault about hosts.")
        case .sshSetupDiffers: (.conflict, "The settings of ssh are not what the vault says.")
        // Every command
        case .failure: (.failure, "Unexpected; a fault of the program.")
        case .usage: (.usage, "Wrong words or options.")
        case .denied: (.denied, "The person said no, closed the prompt, or a policy refused.")
        case .inputNeeded: (.inputNeeded, "A question was needed, and no one could be asked.")
        case .unavailable: (.unavailable, "A helper program or device is missing.")
        case .noIdentity: (.notFound, "The vault has no identity yet.")
        case .identityExists: (.conflict, "The vault has an identity already.")
        case .unknownOperation:
            (.unavailable, "The agent and the program that asked it have different versions.")
        case .malformedCall: (.malformed, "A call to the agent, or its answer, has a wrong form.")
        case .notForKeyring: (.unavailable, "The command needs a vault file; this vault is in the keyring.")
        case .alreadyThere: (.conflict, "The vault is kept in that way already.")
        case .copyDiffers: (.unavailable, "A copy was removed, as it did not have the bytes written.")
        case .malformedInput: (.malformed, "A file, image or argument cannot be read as what it should be.")
        case .helperMissing:
            (
                .unavailable,
                "A link by which git or docker finds this program is missing, or the program ssh-sk-helper."
            )
        // The TPM
        case .badPIN: (.malformed, "A PIN is shorter or longer than allowed.")
        case .pinWrong: (.denied, "The PIN is wrong.")
        case .noHardwareHelper: (.unavailable, "The program hsip-hardware was not found.")
        case .noHardwareLibrary: (.unavailable, "The library for the device is not installed.")
        case .noTPM: (.unavailable, "The computer has no TPM 2, or no driver for it.")
        case .tpmDenied: (.unavailable, "This user may not use the TPM.")
        case .tpmOwned: (.unavailable, "The TPM has an owner password and no storage key.")
        case .tpmOther: (.unavailable, "The key slot belongs to another TPM, or the TPM was cleared.")
        case .tpmState:
            (.unavailable, "The computer started differently than when the key slot was made.")
        case .tpmLockout: (.busy, "The TPM refuses PINs for a while, as too many were wrong.")
        case .tpmBusy: (.busy, "Another program is using the TPM.")
        case .tpmFailed: (.unavailable, "The TPM failed, or hsip-hardware gave no answer.")
        case .noSecurityKey: (.unavailable, "No security key is plugged in.")
        case .securityKeyOther: (.denied, "The security key opens no slot of this vault.")
        case .securityKeyUnfit: (.unavailable, "The security key cannot make secrets (hmac-secret).")
        case .securityKeyDenied: (.unavailable, "This login may not use the security key.")
        case .securityKeyBusy: (.busy, "Another program is using the security key.")
        case .securityKeyGone: (.unavailable, "The security key was unplugged.")
        case .securityKeyFailed: (.unavailable, "The security key failed.")
        case .pinPaused: (.unavailable, "The security key has to be unplugged, after three wrong PINs.")
        case .pinBlocked: (.unavailable, "The security key has locked its PIN for good.")
        case .pinNeeded: (.inputNeeded, "The security key needs its PIN.")
        case .lastTries: (.inputNeeded, "A wrong PIN would lock the security key for good.")
        case .verificationChanged:
            (.unavailable, "The security key verifies its user in another way than before.")
        case .touchTimeout: (.busy, "Nobody touched the security key.")
        case .touchRefused: (.denied, "The security key refused.")
        // The audit log
        case .auditNoPlace: (.unavailable, "The vault has no place for its audit log.")
        case .auditUnsafePlace: (.unavailable, "Another user could read or change the audit log.")
        case .auditBusy: (.busy, "Another program held the audit log for ten seconds.")
        case .auditDiskFull: (.unavailable, "There is no room for another entry of the audit log.")
        case .auditBadKey: (.integrity, "The key of the audit log in the vault is not a key.")
        case .auditFailed: (.unavailable, "The audit log cannot be used.")
        case .auditDamaged: (.integrity, "Entries of the audit log are missing, changed or out of order.")
        // The policy
        case .badRule: (.malformed, "A rule that means nothing, or allows too much.")
        case .ruleNameTaken: (.conflict, "Another rule has this name.")
        case .unknownRule: (.notFound, "No rule has this name.")
        case .tooManyRules: (.conflict, "There are as many rules as a vault keeps.")
        case .ruleDamaged: (.integrity, "A record of a rule that cannot be read.")
        case .policyRefused: (.denied, "The policy, or a rule of it, refused.")
        case .nobodyToAsk: (.denied, "The policy asks the person, and no one could be asked.")
        case .unknownLease: (.notFound, "No lease of this number holds.")
        case .unknownRequest: (.notFound, "No request of this number waits for an answer.")
        // The agent
        case .noAgent: (.unavailable, "No agent is running for this vault.")
        case .foreignAgent: (.unavailable, "A program of another user listens at the place of the agent.")
        case .agentLost: (.unavailable, "The agent ended or broke the protocol in the middle of a request.")
        case .noAgentPath: (.unavailable, "There is no folder where an agent could listen.")
        case .agentNotInstalled: (.unavailable, "The program hsip-agent was not found.")
        case .agentNotStarted: (.unavailable, "The agent did not start; the message says why.")
        case .agentNotStopped:
            (.unavailable, "The agent could not be ended, or another program holds its socket.")
        case .promptTimeout: (.busy, "No one answered a question of the agent in time.")
        case .otherVault: (.unavailable, "The agent serves another vault.")
        case .vaultGone:
            (.unavailable, "The vault was removed or replaced under the agent, which has locked.")
        case .replyTooLarge: (.unavailable, "The answer is larger than the agent may send.")
        case .requestTooLarge: (.unavailable, "The request is larger than the agent accepts.")
        case .brokenProtocol: (.malformed, "A client sent the agent what the protocol does not have.")
        case .agentVersion: (.unavailable, "The agent speaks another version of the protocol.")
        case .notSetUp: (.notFound, "A file that a setup command writes is missing or was changed.")
        // Secrets
        case .unknownSecret: (.notFound, "No secret has this name.")
        case .secretInTrash: (.notFound, "The secret is in the trash; restore it first.")
        case .unknownField: (.notFound, "The secret has no field of this name.")
        case .unknownSecretVersion: (.notFound, "The secret has no version of this number, or not any more.")
        case .secretNameTaken: (.conflict, "Another secret has this name.")
        case .secretTypeDiffers: (.conflict, "The secret is of another type, and types do not change.")
        case .secretChanged: (.conflict, "The secret was changed since the caller read it.")
        case .badSecretName: (.malformed, "A name that cannot be that of a secret.")
        case .badFieldName: (.malformed, "A name that no field can have, or a name that comes twice.")
        case .badTag: (.malformed, "A tag is empty, too long, or has a comma in it.")
        case .badOrigin: (.malformed, "A note of the origin is too long, or has more than one line.")
        case .badTime: (.malformed, "A time beyond the year 9999.")
        case .noFields: (.malformed, "A secret without any value.")
        case .valueTooLong: (.malformed, "A value of more than 1 MiB.")
        case .secretTooLong: (.malformed, "The values of a secret have more than 1.5 MiB together.")
        case .tooManyFields: (.malformed, "A secret has at most 64 fields.")
        case .tooManyTags: (.malformed, "A secret has at most 32 tags.")
        case .tooMuch: (.malformed, "More than one call may carry.")
        case .malformedSecret: (.malformed, "The content of a secret's record is not in its form.")
        case .editorFailed: (.unavailable, "There is no editor, or it failed; nothing was changed.")
        case .noMemoryFolder: (.unavailable, "There is no folder in memory for a text that is to be edited.")
        case .badEdit: (.malformed, "The edited text of a secret has a wrong form; see the details.")
        case .countersSpent: (.malformed, "The counter of a key of one-time passwords is at its end.")
        // Items of other programs
        case .ambiguousItem: (.inputNeeded, "Several items have this label, or ids that begin so.")
        case .badIdentity: (.malformed, "Not a program: an absolute path, `flatpak:ID` or `snap:NAME`.")
        case .providerTaken: (.conflict, "Another program serves as the Secret Service of this session.")
        // Items of programs
        case .unknownItem: (.notFound, "No item of a program with this id.")
        case .itemInTrash: (.notFound, "The item is in the trash; restore it first.")
        case .badItem: (.malformed, "No item or collection can have these parts.")
        case .tooManyItems: (.malformed, "More items, collections or readers than there may be.")
        // Import and export
        case .unknownFormat: (.malformed, "The format of a file or folder is not known here; --from sets it.")
        case .encryptedImport: (.malformed, "Only the program that made the export can decrypt it.")
        case .emptyImport: (.malformed, "The file is empty, or the program before the pipe failed.")
        case .nothingImported:
            (.malformed, "All entries were refused, or other entries have their names; see the details.")
        case .zippedImport: (.malformed, "The export is a ZIP file; import its parts through a pipe.")
        case .exportTampered: (.integrity, "An export of a vault was changed or cut.")
        case .tooLarge: (.malformed, "Larger than what hsip reads or writes.")
        // Secrets for programs
        case .badTemplate: (.malformed, "A placeholder of a template is not a reference; see the details.")
        case .badVariable:
            (.malformed, "A variable or a line of a file has a bad reference, a zero byte or no NAME=VALUE.")
        case .programNotFound: (.unavailable, "`hsip run`: there is no such program.")
        case .programNotExecutable: (.unavailable, "`hsip run`: the program cannot be executed.")
        case .badOneTimeKey: (.malformed, "Neither an otpauth:// or steam:// address nor a base32 key.")
        case .countedPassword: (.malformed, "The key of one-time passwords uses a counter, not the time.")
        // Several machines
        case .noLog: (.notFound, "The vault is not shared with other machines.")
        case .logExists: (.conflict, "The vault is shared already, or the address has a log already.")
        case .otherJoin: (.conflict, "The ADMIT answers another JOIN than this machine's.")
        case .numberDiffers: (.changed, "A person typed other digits than the code has.")
        case .unknownMachine: (.notFound, "No machine of the log has this name.")
        case .alreadyMember: (.conflict, "The machine of a JOIN is in the log already.")
        case .machineNameTaken: (.conflict, "Another machine of the log has this name.")
        case .notAllowed: (.denied, "This machine may only read the log.")
        case .lastKeeper: (.denied, "No machine would be left that may change the log.")
        case .machineRevoked: (.denied, "This machine was removed from the log.")
        case .massRemoval: (.inputNeeded, "Others deleted a fifth or more of all shared records.")
        case .admitOutdated: (.expired, "The log begins after the entry that the ADMIT names.")
        case .logTampered: (.integrity, "An entry of the log was changed, or no machine may write it.")
        case .logForked: (.integrity, "The log has another history than this machine knows.")
        case .logBehind: (.integrity, "The log lost entries that this machine has seen.")
        case .logDamaged: (.integrity, "The place of the log has files that are not entries.")
        case .historyGap: (.integrity, "This machine was away too long to compare the history of the log.")
        case .stateDiffers: (.integrity, "The author of an entry has other contents than this machine.")
        case .vaultBehindLog: (.integrity, "The vault is older than its own entries in the log.")
        case .machineCloned: (.integrity, "An entry by this machine that it did not write.")
        case .newerEntry: (.unavailable, "A newer program wrote an entry of the log.")
        case .logTooLarge: (.unavailable, "The log, or an answer of its server, is larger than hsip accepts.")
        case .logUnreachable: (.unavailable, "The place of the log does not answer.")
        case .logFull: (.unavailable, "The place of the log, or the disk here, has no room.")
        case .logRefused: (.denied, "The server of the log refuses the login, or the act.")
        case .notTrusted:
            (.unavailable, "The server of the log has another key or certificate than expected.")
        case .logRecordsLost:
            (.integrity, "The vault lost records about the shared log, for example in a repair.")
        case .headAhead: (.conflict, "The other machine is further in the log than this one.")
        case .noConflict: (.notFound, "No conflict of a sync is about this name.")
        case .nameMeansOther: (.conflict, "A name means another record than before; nobody settled it.")
        case .copiedFolder: (.conflict, "Another program copies the folder, so the log in it would fork.")
        }
    }
}
