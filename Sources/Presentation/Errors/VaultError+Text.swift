internal import Secrets
package import VaultKit
internal import VaultPolicy

extension VaultError: Explainable {
    package var explanation: Failure {
        switch self {
        case .hsip(let reason): reason.explanation
        case .store(let reason): reason.explanation
        case .ssh(let reason): reason.explanation
        case .secret(let reason): reason.explanation
        case .oneTime(let reason): reason.explanation
        case .audit(let reason): reason.explanation
        case .rule(let reason): reason.explanation
        case .gift(let reason): reason.explanation
        case .text(let reason): reason.explanation
        case .log(let reason): reason.explanation
        case .item(let reason): reason.explanation
        case .noIdentity: Failure(.noIdentity, "this vault has no identity yet", hint: "hsip init")
        case .identityExists:
            Failure(.identityExists, "this vault already has an identity", hint: "hsip identity show")
        // This is a demand of the vault's owner, not an error of the protocol.
        case .notVerified:
            Failure(
                .denied,
                "this contact is not verified, and you set that it must be",
                hint: "hsip verify NAME"
            )
        case .unknownOperation:
            Failure(
                .unknownOperation,
                "the agent has another version than this program",
                hint: "hsip agent restart"
            )
        case .malformedCall:
            Failure(
                .malformedCall,
                "the agent and this program do not understand each other",
                hint: "hsip agent restart"
            )
        }
    }
}

extension AuditError: Worded {
    package var words: Failure.Words {
        switch self {
        case .noPlace:
            (.auditNoPlace, "hsip has no folder for the audit log", "hsip doctor")
        case .unsafePlace(let path):
            (.auditUnsafePlace, "another user could change the audit log: \(path)", "hsip doctor")
        case .busy: (.auditBusy, "another program is using the audit log", "try again")
        case .diskFull:
            (.auditDiskFull, "the disk has no room for the audit log", "hsip doctor")
        case .badKey:
            (.auditBadKey, "the key of the audit log in the vault is damaged", "hsip vault check")
        case .failed(let code):
            (.auditFailed, "the audit log cannot be used (error \(code))", "hsip doctor")
        }
    }
}

extension GiftError: Worded {
    package var words: Failure.Words {
        switch self {
        case .unknown:
            (.unknownGift, "you and this contact share no such secret", "hsip secret shared")
        case .ofAnother:
            (.giftOfAnother, "the secret is not from this contact; ask the contact to send it again", nil)
        case .contactUnverified:
            (
                .contactUnverified, "you have not verified this contact: someone may intercept your messages",
                "hsip verify NAME"
            )
        case .contactSuspicious:
            (
                .contactSuspicious,
                "someone else answered the same offer as this contact; verify the contact first",
                "hsip verify NAME"
            )
        }
    }
}

extension ItemError: Worded {
    package var words: Failure.Words {
        switch self {
        case .unknownItem: (.unknownItem, "the vault has no such item", "hsip item list")
        case .inTrash: (.itemInTrash, "the item is in the trash", "hsip item restore ID")
        case .unknownVersion: (.unknownSecretVersion, "the item has no such version", "hsip item show ID")
        case .unknownCollection: (.noSuchCollection, "the vault has no such collection", "hsip item list")
        case .fixedCollection: (.badItem, "this collection cannot be removed or replaced", nil)
        case .closed: (.locked, "the collection is closed for programs", nil)
        case .badItem: (.badItem, "an item or collection cannot have these properties", nil)
        case .valueTooLong(let limit):
            (.valueTooLong, "the value of an item can have at most \(limit) bytes", nil)
        case .tooManyItems(let limit):
            (.tooManyItems, "the vault already has \(limit) items, the most it can keep", nil)
        case .tooManyBytes(let limit):
            (.tooManyItems, "the items together have \(limit >> 20) MiB, the most a vault can keep", nil)
        case .tooManyCollections(let limit):
            (.tooManyItems, "a vault can have at most \(limit) collections of items", nil)
        case .tooManyReaders(let limit):
            (.tooManyItems, "at most \(limit) programs can read an item without asking", nil)
        case .tooManyInCall(let limit): (.tooManyItems, "one call can name at most \(limit) items", nil)
        case .onlyByPeople: (.policyRefused, "only hsip itself may do this with an item", nil)
        case .changedMeanwhile: (.conflict, "the item was changed meanwhile", "try again")
        case .unreadable:
            (.newerRecord, "this version of hsip cannot read an item in the vault", "hsip version")
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}

extension RuleRefusal: Worded {
    package var words: Failure.Words {
        switch self {
        case .bad(let reason): (.badRule, Self.text(of: reason), "hsip agent rule add --help")
        case .nameTaken: (.ruleNameTaken, "another rule has this name", "hsip agent rule list")
        case .unknown: (.unknownRule, "the vault has no such rule", "hsip agent rule list")
        case .tooMany:
            (.tooManyRules, "the vault already has the most rules it can keep", "hsip agent rule rm NAME")
        case .damaged: (.ruleDamaged, "a rule in the vault cannot be read", "hsip vault check")
        }
    }

    private static func text(of error: RuleError) -> String {
        switch error {
        case .badName: "the name of a rule must be 1–64 of a–z, 0–9 and dashes"
        case .badValue: "a value of the rule is empty, too long or not plain text"
        case .badProgram:
            "name a program by its file's absolute path, or on the bus by flatpak:NAME or snap:NAME"
        case .badInside: "--inside needs the absolute path of a program's file, or unit:NAME"
        case .insideAllows:
            "an allow rule cannot have --inside, as a process can leave the program or unit that started it"
        case .badRoute:
            "--via and --user need an allow rule with --kind login, --subject, --user, --host, --via and --for"
        case .routeToItself: "--via and --host name the same host, and a route has two"
        case .allowsEverything: "an allow rule must name a kind, a key, a program or a host"
        case .neverCovered:
            "the rule has no effect: hsip asks about this each time, or no request can meet all conditions"
        }
    }
}

extension TextHistoryError: Worded {
    package var words: Failure.Words {
        switch self {
        case .unknownEntry:
            (.unknownTextEntry, "the history has no entry with that number", "hsip text history list")
        case .badEntry: (.badTextEntry, "the history can keep only encrypted text", nil)
        case .malformed:
            (.malformedTextHistory, "hsip cannot read the history of texts in the vault", "hsip doctor")
        case .unsupportedVersion:
            (.unsupportedVersion, "a newer program wrote the history of texts", "hsip version")
        case .outOfMemory: (.outOfMemory, "hsip cannot lock enough memory", "ulimit -l")
        }
    }
}
