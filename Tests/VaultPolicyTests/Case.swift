import Testing
import VaultPolicy

/// One act by someone, and what the table promises about it.
struct Case: Sendable, CustomTestStringConvertible {
    let words: String
    let act: Act
    let requester: Requester
    let row: Row.Name

    var testDescription: String { words }

    static let owner: UInt32 = 1_000
    static let ssh = Requester(uid: owner, pid: 7, program: .other(path: "/usr/bin/ssh"))
    static let terminal = Requester(uid: owner, program: .own(path: "/usr/bin/hsip"), hasTerminal: true)
    static let script = Requester(uid: owner, program: .own(path: "/usr/bin/hsip"))
    static let stranger = Requester(uid: owner, program: .unknown)
    static let root = Requester(uid: 0, program: .other(path: "/usr/bin/ssh"))

    static let key = KeyFacts(
        name: "work",
        fingerprint: "SHA256:work",
        needsConfirmation: false,
        namespaces: ["git"]
    )
    static let careful = KeyFacts(
        name: "vault",
        fingerprint: "SHA256:vault",
        needsConfirmation: true,
        namespaces: ["git"]
    )
    static let added = KeyFacts(
        name: "added",
        fingerprint: "SHA256:added",
        needsConfirmation: false,
        namespaces: nil
    )

    static func host(_ status: HostFacts.Status) -> HostFacts {
        HostFacts(
            names: status == .unknown ? [] : ["db1.example.org"],
            fingerprint: "SHA256:host",
            status: status
        )
    }

    static func login(
        _ key: KeyFacts = key,
        at status: HostFacts.Status = .known,
        _ route: Route = .direct,
        user: String = "deploy"
    ) -> Act {
        .sign(key, .login(user: user, host: route == .unbound ? nil : host(status)), route)
    }

    /// Programs on the bus.
    static let git = bus("/usr/bin/git")
    static let python = bus("/usr/bin/python3.11")

    static func bus(
        _ identity: String?,
        start: UInt64 = 100,
        chain: [String] = [],
        unit: String? = nil
    ) -> Requester {
        let identity = identity.flatMap { ProgramIdentity($0) }
        let program = BusProgram(identity: identity, start: start, chain: chain, unit: unit)
        return Requester(uid: owner, pid: 9, bus: program, chain: ["git", "bash"])
    }

    static func facts(
        _ relation: ItemRelation,
        id: String = "0123456789abcdef",
        isOwnValue: Bool = false,
        hasEnded: Bool = false
    ) -> ItemFacts {
        ItemFacts(
            id: id,
            label: "Token",
            owner: relation == .nobodys ? nil : ProgramIdentity("/usr/bin/owner"),
            schema: "org.example.Password",
            relation: relation,
            isOwnValue: isOwnValue,
            hasEnded: hasEnded
        )
    }

    static func item(_ relation: ItemRelation, isOwnValue: Bool = false, hasEnded: Bool = false) -> Act {
        .item(operation: "item.get", facts(relation, isOwnValue: isOwnValue, hasEnded: hasEnded))
    }

    static func change(_ relation: ItemRelation, hasEnded: Bool = false) -> Act {
        .itemChange(operation: "item.set", facts(relation, hasEnded: hasEnded))
    }

    static let secret = Act.read(operation: "ssh.key", name: "work")
    static let forwarded = Route.forwarded(through: ["bastion"])

    /// Every row of the table at least once, and the neighbours that a person could mistake for it.
    static let all: [Case] = [
        Case(words: "revoked host", act: login(at: .revoked), requester: ssh, row: .hostRevoked),
        Case(
            words: "revoked host, forwarded",
            act: login(at: .revoked, forwarded),
            requester: ssh,
            row: .hostRevoked
        ),
        Case(words: "changed host", act: login(at: .changed), requester: ssh, row: .hostChanged),
        Case(
            words: "forwarded login",
            act: login(key, at: .known, forwarded),
            requester: ssh,
            row: .forwarded
        ),
        Case(
            words: "forwarded commit",
            act: .sign(key, .file(namespace: "git"), forwarded),
            requester: ssh,
            row: .forwarded
        ),
        Case(words: "raw data", act: .sign(key, .raw, .direct), requester: ssh, row: .rawData),
        Case(words: "raw data, added key", act: .sign(added, .raw, .unbound), requester: ssh, row: .rawData),
        Case(words: "login by root", act: login(), requester: root, row: .otherUser),
        Case(words: "secret for root", act: secret, requester: root, row: .otherUser),
        Case(words: "login, program unknown", act: login(), requester: stranger, row: .unknownProgram),
        Case(words: "secret, program unknown", act: secret, requester: stranger, row: .unknownProgram),
        Case(words: "key set to confirm", act: login(careful), requester: ssh, row: .confirmEachUse),
        Case(words: "direct login", act: login(), requester: ssh, row: .directLogin),
        Case(words: "direct login, new host", act: login(at: .unknown), requester: ssh, row: .unknownHost),
        Case(
            words: "direct login, no host",
            act: .sign(key, .login(user: "deploy", host: nil), .direct),
            requester: ssh,
            row: .unknownHost
        ),
        Case(
            words: "unbound login",
            act: login(key, at: .known, .unbound),
            requester: ssh,
            row: .unboundLogin
        ),
        Case(
            words: "commit by a key for git",
            act: .sign(key, .file(namespace: "git"), .unbound),
            requester: ssh,
            row: .ownNamespace
        ),
        Case(
            words: "file by a key for git",
            act: .sign(key, .file(namespace: "file"), .unbound),
            requester: ssh,
            row: .otherNamespace
        ),
        Case(
            words: "commit by a added key",
            act: .sign(added, .file(namespace: "git"), .unbound),
            requester: ssh,
            row: .usualNamespace
        ),
        Case(
            words: "odd namespace, added key",
            act: .sign(added, .file(namespace: "sudo"), .unbound),
            requester: ssh,
            row: .otherNamespace
        ),
        Case(words: "certificate", act: .sign(key, .certificate, .direct), requester: ssh, row: .certificate),
        Case(words: "secret, hsip, terminal", act: secret, requester: terminal, row: .ownRead),
        Case(words: "secret, hsip, script", act: secret, requester: script, row: .otherRead),
        Case(words: "secret, another program", act: secret, requester: ssh, row: .otherRead),
        Case(
            words: "sealing for a contact",
            act: .use(operation: "hsip.contact", name: "bob"),
            requester: script,
            row: .use
        ),
        Case(
            words: "a rule made by a script",
            act: .decide(operation: "rule.add", name: "r"),
            requester: script,
            row: .decision
        ),
        Case(
            words: "a person trusted by another program",
            act: .decide(operation: "contact.verified", name: "bob"),
            requester: ssh,
            row: .decision
        ),
        Case(words: "ended item", act: item(.own, hasEnded: true), requester: git, row: .endedItem),
        Case(
            words: "ended item, granted",
            act: item(.granted, hasEnded: true),
            requester: git,
            row: .endedItem
        ),
        Case(
            words: "change of an ended item",
            act: change(.own, hasEnded: true),
            requester: git,
            row: .ownItem
        ),
        Case(words: "granted item", act: item(.granted), requester: git, row: .grantedItem),
        Case(words: "granted item, interpreter", act: item(.granted), requester: python, row: .grantedItem),
        Case(words: "own item, interpreter", act: item(.own), requester: python, row: .sharedTool),
        Case(
            words: "own item, interpreter that stored it",
            act: item(.own, isOwnValue: true),
            requester: python,
            row: .ownItem
        ),
        Case(words: "new label by an interpreter", act: change(.own), requester: python, row: .sharedTool),
        Case(
            words: "new value by an interpreter",
            act: .itemChange(operation: "item.make", facts(.own)),
            requester: python,
            row: .ownItem
        ),
        Case(words: "own item", act: item(.own), requester: git, row: .ownItem),
        Case(words: "nobody's item", act: item(.nobodys), requester: git, row: .nobodysItem),
        Case(words: "another's item", act: item(.others), requester: git, row: .otherItem),
        Case(words: "change of another's item", act: change(.others), requester: git, row: .otherItem),
        Case(words: "item, program unknown", act: item(.nobodys), requester: bus(nil), row: .unknownProgram),
        Case(
            words: "key of an application",
            act: .applicationKey(operation: "item.app-key", name: "org.example.App"),
            requester: git,
            row: .appKey
        ),
        Case(
            words: "key of an application without an id",
            act: .applicationKey(operation: "item.app-key", name: ""),
            requester: git,
            row: .namelessApp
        ),
        Case(
            words: "end of a collection",
            act: .collection(operation: "item.collection-remove", name: "work"),
            requester: git,
            row: .collection
        ),
    ]
}
