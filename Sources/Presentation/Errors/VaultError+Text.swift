package import Audit
internal import TextCipher
package import VaultKit
internal import VaultPolicy

extension VaultError: Explainable {
    package var explanation: ErrorText {
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
        case .item(let reason): reason.explanation
        case .noIdentity: ErrorText(.noIdentity, "this vault has no identity yet", hint: "hsip init")
        case .identityExists:
            ErrorText(.identityExists, "this vault has an identity already", hint: "hsip identity show")
        // Not an error of the protocol: a demand of this vault's owner.
        case .notVerified:
            ErrorText(
                .denied,
                "this contact is set to require verification and is not verified",
                hint: "hsip verify NAME"
            )
        case .unknownOperation:
            ErrorText(
                .unknownOperation,
                "the agent is of another version than this program",
                hint: "hsip agent restart"
            )
        case .malformedCall:
            ErrorText(
                .malformedCall,
                "the agent and this program do not understand each other",
                hint: "hsip agent restart"
            )
        }
    }
}

extension AuditError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .noPlace:
            (.auditNoPlace, "there is no place for the audit log", "hsip doctor")
        case .unsafePlace(let path):
            (.auditUnsafePlace, "another user could change the audit log: \(path)", "hsip doctor")
        case .busy: (.auditBusy, "another program holds the audit log", "try again")
        case .diskFull:
            (.auditDiskFull, "there is no room on the disk for the audit log", "hsip doctor")
        case .badKey:
            (.auditBadKey, "the key of the audit log in the vault is damaged", "hsip vault check")
        case .failed(let code):
            (.auditFailed, "the audit log cannot be used (error \(code))", "hsip doctor")
        }
    }
}

extension GiftError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .unknown:
            (.unknownGift, "this contact was given no such secret, or gave none", "hsip secret shared")
        case .ofAnother:
            (.giftOfAnother, "this is not a secret of this contact's; ask them to send it again", nil)
        case .contactUnverified:
            (
                .contactUnverified,
                "you have not compared anything with this contact: someone may read along",
                "hsip verify NAME"
            )
        case .contactSuspicious:
            (
                .contactSuspicious, "someone else answered the same offer as this contact; compare first",
                "hsip verify NAME"
            )
        }
    }
}

extension ItemError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .unknownItem: (.unknownItem, "there is no such item", "hsip item list")
        case .inTrash: (.itemInTrash, "the item is in the trash", "hsip item restore ID")
        case .unknownVersion: (.unknownSecretVersion, "the item has no such version", "hsip item show ID")
        case .unknownCollection: (.noSuchCollection, "there is no such collection", "hsip item list")
        case .fixedCollection: (.badItem, "this collection is always there", nil)
        case .closed: (.locked, "the collection is closed for programs", nil)
        case .badItem: (.badItem, "no item or collection can have these parts", nil)
        case .valueTooLong(let limit):
            (.valueTooLong, "the value of an item has at most \(limit) bytes", nil)
        case .tooManyItems(let limit):
            (.tooManyItems, "there are \(limit) items, and a vault keeps no more", nil)
        case .tooManyBytes(let limit):
            (.tooManyItems, "the items have \(limit >> 20) MiB together, and a vault keeps no more", nil)
        case .tooManyCollections(let limit):
            (.tooManyItems, "a vault has at most \(limit) collections of items", nil)
        case .tooManyReaders(let limit):
            (.tooManyItems, "at most \(limit) programs have an item without a question", nil)
        case .tooManyInCall(let limit): (.tooManyItems, "one call is about at most \(limit) items", nil)
        case .onlyByPeople: (.policyRefused, "only hsip itself may do this with an item", nil)
        case .changedMeanwhile: (.conflict, "the item was changed meanwhile", "try again")
        case .unreadable:
            (.newerRecord, "an item in the vault cannot be read by this version", "hsip version")
        case .outOfMemory: (.outOfMemory, "there is not enough locked memory", "ulimit -l")
        }
    }
}

extension RuleRefusal: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .bad(let reason): (.badRule, Self.text(of: reason), "hsip agent rule add --help")
        case .nameTaken: (.ruleNameTaken, "another rule has this name", "hsip agent rule list")
        case .unknown: (.unknownRule, "there is no such rule", "hsip agent rule list")
        case .tooMany:
            (.tooManyRules, "there are as many rules as a vault keeps", "hsip agent rule rm NAME")
        case .damaged: (.ruleDamaged, "a rule in the vault cannot be read", "hsip vault check")
        }
    }

    private static func text(of error: RuleError) -> String {
        switch error {
        case .badName: "the name of a rule is 1–64 of a–z, 0–9 and dashes"
        case .badValue: "a value of the rule is empty, too long or not plain text"
        case .badProgram:
            "a program is named by the absolute path of its file, one on the bus also by flatpak:NAME or snap:NAME"
        case .badInside: "a rule is inside the absolute path of a program's file, or unit:NAME"
        case .insideAllows:
            "a process can leave what it was started in, so no rule allows anything inside a program or unit"
        case .allowsEverything: "a rule that allows has to say what: a kind, a key, a program, a host"
        case .neverCovered:
            "what the rule would allow is asked about each time, or no act can fit all its conditions"
        }
    }
}

extension TextHistoryError: Explainable {
    package var explanation: ErrorText { ErrorText(words) }

    private var words: ErrorText.Words {
        switch self {
        case .unknownEntry:
            (.unknownTextEntry, "the history has no entry of that number", "hsip text history list")
        case .badEntry: (.badTextEntry, "only an encrypted text can be remembered", nil)
        case .malformed:
            (.malformedTextHistory, "the history of texts in the vault cannot be read", "hsip doctor")
        case .unsupportedVersion:
            (.unsupportedVersion, "the history of texts was written by a newer program", "hsip version")
        case .outOfMemory: (.outOfMemory, "there is not enough locked memory", "ulimit -l")
        }
    }
}
