/// The table behind every decision: the first row that matches an act has the outcome.
public enum Table {
    /// The rows, in the order in which they are tried.
    public static let rows: [Row] = [
        Row(name: .hostRevoked, outcome: .deny, words: "a login to a server whose key was revoked") {
            $0.act.host?.status == .revoked
        },
        Row(name: .hostChanged, outcome: .deny, words: "a login to a server whose key has changed") {
            $0.act.host?.status == .changed
        },
        Row(name: .forwarded, outcome: .askEachTime, words: "any signature for another machine (forwarded)") {
            $0.act.isForwarded
        },
        Row(name: .rawData, outcome: .askEachTime, words: "a signature over bytes without a known meaning") {
            $0.act.kind == .raw
        },
        Row(name: .otherUser, outcome: .askEachTime, words: "anything by a process of another user") {
            $0.requester.uid != $0.owner
        },
        Row(name: .unknownProgram, outcome: .askEachTime, words: "anything by a program that is not known") {
            $0.requester.program == .unknown
        },
        Row(name: .confirmEachUse, outcome: .askEachTime, words: "any signature by a key set to confirm") {
            request in
            guard case .sign(let key, _, _) = request.act else { return false }
            return key.needsConfirmation
        },
        // A program can bind a session to a key of its own, so only a key that the vault knows identifies a server.
        Row(
            name: .directLogin,
            outcome: .allow,
            words: "a login by a program that binds its session, to a server that is known"
        ) { request in
            guard case .sign(_, .login(_, let host?), .direct) = request.act else { return false }
            return host.status == .known
        },
        Row(
            name: .unknownHost,
            outcome: .ask,
            words: "a login by a program that binds its session, to any other server"
        ) { request in
            guard case .sign(_, .login, .direct) = request.act else { return false }
            return true
        },
        Row(name: .unboundLogin, outcome: .ask, words: "a login by a program that binds no session") {
            $0.act.kind == .login
        },
        Row(name: .ownNamespace, outcome: .allow, words: "a file or commit, in a namespace set for the key") {
            request in
            guard case .sign(let key, .file(let namespace), _) = request.act else { return false }
            return key.namespaces?.contains(namespace) ?? false
        },
        Row(
            name: .usualNamespace,
            outcome: .allow,
            words: "a file or commit, namespace git or file, by a key that ssh-add added"
        ) { request in
            guard case .sign(let key, .file(let namespace), _) = request.act else { return false }
            return key.namespaces == nil && ["git", "file"].contains(namespace)
        },
        Row(name: .otherNamespace, outcome: .ask, words: "a file or commit, in any other namespace") {
            $0.act.kind == .file
        },
        Row(name: .certificate, outcome: .ask, words: "a certificate for another key") {
            $0.act.kind == .certificate
        },
        Row(name: .ownRead, outcome: .allow, words: "a secret read by hsip itself, at a terminal") {
            request in
            request.act.kind == .read && request.requester.isPerson
        },
        Row(
            name: .otherRead,
            outcome: .ask,
            words: "a secret read by another program, or without a terminal"
        ) {
            $0.act.kind == .read
        },
        Row(
            name: .use,
            outcome: .allow,
            words: "a secret used inside the vault, to seal, open or sign"
        ) {
            $0.act.kind == .use
        },
        // The next change under the same name may differ, so an approval covers only what was shown.
        Row(
            name: .decision,
            outcome: .askUnlessRule,
            words: "changes to rules, key limits or trusted hosts"
        ) {
            $0.act.kind == .decide
        },
        Row(name: .endedItem, outcome: .askEachTime, words: "an item that has expired") {
            guard case .item(_, let item) = $0.act else { return false }
            return item.hasEnded
        },
        Row(
            name: .grantedItem,
            outcome: .allow,
            words: "an item that the program was granted (a reader of it)"
        ) {
            $0.act.item?.relation == .granted
        },
        Row(
            name: .sharedTool,
            outcome: .ask,
            words: "the value, label or attributes of the program's own item, "
                + "by a tool that any program can run"
        ) { request in
            guard let program = request.requester.bus?.identity else { return false }
            let item: ItemFacts
            switch request.act {
            // With another label the next prompt would show another object than the act has.
            case .item(_, let facts), .itemChange(ItemOperation.set, let facts): item = facts
            default: return false
            }
            return item.relation == .own && !item.isOwnValue && SharedTools.contains(program)
        },
        Row(name: .ownItem, outcome: .allow, words: "the program's own item") {
            $0.act.item?.relation == .own
        },
        Row(name: .nobodysItem, outcome: .ask, words: "an item without an owner") {
            $0.act.item?.relation == .nobodys
        },
        Row(name: .otherItem, outcome: .ask, words: "an item of another program") { $0.act.item != nil },
        Row(name: .appKey, outcome: .allow, words: "the key of an application, for the portal") {
            guard case .applicationKey(_, let name) = $0.act else { return false }
            return !name.isEmpty
        },
        Row(
            name: .namelessApp,
            outcome: .askEachTime,
            words: "the key of an application without an id, for the portal"
        ) {
            guard case .applicationKey = $0.act else { return false }
            return true
        },
        Row(
            name: .collection,
            outcome: .askEachTime,
            words: "the alias `default`, removing a collection that is not empty, opening a closed one"
        ) {
            guard case .collection = $0.act else { return false }
            return true
        },
    ]

    /// The table as Markdown.
    public static var markdown: String {
        let head = "| # | what is asked for | what happens | reason |\n| --- | --- | --- | --- |\n"
        return head
            + rows.enumerated().map { number, row in
                "| \(number + 1) | \(row.words) | \(row.outcome.words) | `\(row.name.rawValue)` |\n"
            }.joined()
    }
}
