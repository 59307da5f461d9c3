import HSIP
import Presentation
import RecordStore
import SSHFormats
import Secrets
import SharedLog
import System
import Testing
import VaultKit
import VaultLifecycle
import VaultPolicy

/// What errors say, in every program.
struct FailureTests {
    private static let store: [StoreError] = [
        .unsafeFile(path: "/x", .mode(0o644)), .unsuitableFileSystem(type: 1), .notAVault,
        .newerFormat(found: 2, supported: 1), .newerRecord, .schemaTampered, .tampered(.head), .corrupt,
        .alreadyExists, .notFound, .wrongSecret, .noSuchSlot, .kdfOutOfBounds, .outOfMemory, .mistyped,
        .slotLimit, .lastSlot, .locked,
        .rollback(found: Position(epoch: 1, generation: 1), expected: Position(epoch: 1, generation: 2)),
        .fork, .anchorRequired, .anchorNotWritten(path: "/x", isMade: false),
        .anchorNotWritten(path: "/x", isMade: true), .rekeyed, .conflict, .busy, .commitUnknown,
        .invalidRecord(.name), .readOnly,
        .readOnlyWithLog, .diskFull, .io(code: 5), .noSessionBus, .noSecretService, .ownProvider,
        .noSecretLibrary,
        .noSuchCollection, .keyringLocked, .promptDismissed, .keyringTimeout, .keyringDied,
        .keyringRefused(code: 1), .cancelled,
    ]

    private static let ssh: [SSHVaultError] = [
        .unknownKey, .keyNameTaken, .badKeyName, .keyInVault, .keyInTrash, .keyNotInUse, .readBackDiffers,
        .unknownHost, .hostNameTaken, .hostInTrash, .hostInVault, .hostKeyChanged, .hostKeyRevoked,
        .trustRequired, .fingerprintDiffers, .unknownHostKey, .format(.badUser), .format(.badLabel),
        .format(.labelIsNoAlias), .format(.unknownAuthentication), .format(.keyReferenceMissing),
        .format(.badReference), .format(.badPath), .format(.badIdentifier),
        .format(.duplicateAlias(index: 1)),
        .format(.badHostPattern),
        .format(.truncated), .format(.oversized(limit: 1)), .format(.trailingBytes), .format(.malformed),
        .format(.badNumber), .format(.malformedBase64), .format(.noKey), .format(.typeMismatch),
        .format(.unsupportedKeyType), .format(.dsaRefused), .format(.rsaTooShort(bits: 1)), .format(.badKey),
        .format(.halvesDiffer), .format(.severalKeys(count: 2)), .format(.unknownCipher),
        .format(.tripleDESRefused), .format(.unknownKDF), .format(.tooManyRounds(rounds: 2, limit: 1)),
        .format(.passphraseNeeded), .format(.wrongPassphrase), .format(.badNamespace), .format(.badHostName),
        .format(.badPort), .format(.badPrincipals), .format(.unsupportedVersion(2)), .format(.outOfMemory),
        .format(.sha1Refused), .format(.badSignature), .format(.wrongNamespace),
        .format(.noSignature), .format(.changedHostKey), .format(.revokedHostKey),
    ]

    private static let secrets: [CredentialError] = [
        .malformed, .unsupportedVersion(2), .badName, .badField, .badTag, .badOrigin, .badTime,
        .valueTooLong(limit: 1), .versionTooLong(limit: 1), .tooManyFields(limit: 1), .tooManyTags(limit: 1),
        .tooMuch(limit: 1), .noFields, .unknownName, .inTrash, .nameTaken, .unknownField,
        .unknownSecretVersion, .kindDiffers, .changedMeanwhile, .unresolved(index: 1, .inTrash), .outOfMemory,
    ]

    private static let others: [any Explainable] = [
        HSIPError.noCode, HSIPError.codeFromFuture(seconds: 700), HSIPError.replayed, VaultError.noIdentity,
        VaultError.identityExists, VaultError.notVerified, VaultError.unknownOperation,
        VaultError.malformedCall, OneTimeError.malformed, OneTimeError.spent,
        CredentialTextError.twice(line: 3), AuditError.noPlace, AuditError.failed(code: 5),
        GiftError.unknown, GiftError.ofAnother, GiftError.contactUnverified, GiftError.contactSuspicious,
        RuleRefusal.bad(.badName), RuleRefusal.damaged, TextHistoryError.unknownEntry,
        TextCipherError.cannotOpen, ProgramError.noSuchFile, ProgramError.inputNeeded(flag: "--yes"),
        OpeningError.noHome, OpeningError.secretFile(path: "/p", .notReadable),
        OpeningError.misplaced(.missing(file: "/v")), MigrationError.overtaken,
    ]
    private static let log = LogError.Reason.allCases.flatMap { [LogError($0), LogError($0, at: 3)] }
    private static var all: [any Explainable] { store + ssh + secrets + others + log }

    @Test func `every error says one line, without a full stop, and has one hint at most`() {
        for error in Self.all {
            let text = error.explanation
            #expect(!text.message.isEmpty && !text.message.contains("\n"), "\(error)")
            #expect(!text.message.hasSuffix("."), "\(error)")
            #expect(text.hint?.contains("\n") != true && text.hint?.isEmpty != true, "\(error)")
        }
    }

    @Test func `who is told that a change stands is not told to try again`() {
        let made = StoreError.anchorNotWritten(path: "/x", isMade: true).explanation
        #expect(made.message.hasPrefix("the change is made"))
        #expect(made.hint?.contains("try again") == false)
        #expect(StoreError.commitUnknown.explanation.hint?.contains("try again") == false)
    }

    @Test func `a number of SQLite is not told as one of the system`() {
        let text = StoreError.io(code: StoreError.sqliteCodes + 14).explanation.message
        #expect(text.hasSuffix("error 14 of SQLite"))
    }

    @Test func `every error has a name of the vocabulary, and its exit code`() throws {
        for error in Self.all {
            let text = error.explanation
            let name = try #require(ErrorName(rawValue: text.name), "\(text.name)")
            #expect(text.exitCode == name.exitCode, "\(text.name)")
        }
    }

    @Test func `what a vault refuses says the same as what it is made of`() {
        for error in Self.store {
            #expect(VaultError.store(error).explanation.name == error.explanation.name)
            #expect(OpeningError.store(error).explanation.message == error.explanation.message)
        }
    }

    @Test func `a name that is another word than its case`() {
        #expect(CredentialError.unresolved(index: 1, .unknownField).explanation.name == "unknownField")
        #expect(VaultError.ssh(.readBackDiffers).explanation.name == "copyDiffers")
        #expect(VaultError.notVerified.explanation.name == "denied")
        #expect(ProgramError.fileExists.explanation.name == "alreadyExists")
        #expect(OpeningError.misplaced(.unknownBackend).explanation.name == "unavailable")
    }

    @Test func `signals end the program as a shell expects`() {
        #expect(ProgramError.interrupted(signal: 2).explanation.exitCode == 130)
        #expect(ProgramError.closedPipe.explanation.exitCode == 141)
    }

    @Test func `every stop of a sync at 11 names a command`() {
        for error in Self.log where error.explanation.exitCode == 11 {
            #expect(error.explanation.hint?.hasPrefix("hsip ") == true, "\(error)")
        }
    }

    @Test func `who made a code is called what they are`() {
        for error in [HSIPError.badSignature, .codeFromFuture(seconds: 7_200)] {
            #expect(error.explanation.message.contains("the contact"))
            let text = error.explanation(from: "machine").message
            #expect(text.contains("the machine") && !text.contains("contact"))
        }
    }

    @Test func `a question that could not be asked names the flag that would have answered`() {
        #expect(ProgramError.inputNeeded(flag: "--as NAME").explanation.hint == "add --as NAME")
        let person = ProgramError.inputNeeded(flag: nil).explanation
        #expect(person.hint == "run the command at a terminal, without --no-input")
    }

    @Test func `an error that no one knows is a fault of the program`() {
        let text = Failure(CancellationError())
        #expect(text.name == "failure" && text.exitCode == 1)
    }

    @Test func `a path is shown without what a terminal would obey`() {
        let error = OpeningError.misplaced(.missing(file: "/a\u{1B}[31m"))
        #expect(!error.explanation.message.contains("\u{1B}"))
    }
}
