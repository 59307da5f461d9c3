/// What exactly a remembered yes covers: nothing wider than what the question showed.
public struct Approval: Hashable, Sendable {
    private let kind: ActKind
    /// The key's fingerprint, the id of the item, or the operation and the name.
    private let subject: [String]
    /// The user and the server's key of a login, or the namespace of a file.
    private let target: [String]
    private let program: String
    /// The one process of a tool that anybody can run: its next one may do something else for someone else.
    private let process: [UInt64]
    /// The script of an interpreter, or of the interpreter that started a tool.
    private let script: ScriptClaim?
    private let uid: UInt32

    /// What a yes to this act would cover.
    ///
    /// Nil for a program that is not known, because nothing would tell it from any other; and for what decides later
    /// verdicts, because its name does not say what it decides.
    ///
    /// - Parameters:
    ///   - act: the act.
    ///   - requester: who may do it.
    ///   - forScript: whether the yes is for each process that says it runs the same script, and not for this one alone.
    public init?(_ act: Act, by requester: Requester, forScript: Bool = false) {
        guard let program = requester.program.path, act.kind != .decide else { return nil }
        guard !forScript || requester.script?.kind == .file else { return nil }
        self.program = program
        script = requester.script
        let isShared = requester.bus?.identity.map(SharedTools.contains) ?? false
        let isOfProcess = isShared && !forScript
        process = isOfProcess ? [UInt64(bitPattern: Int64(requester.pid)), requester.bus?.start ?? 0] : []
        uid = requester.uid
        kind = act.kind
        switch act {
        case .sign(let key, let purpose, _):
            subject = [key.fingerprint]
            switch purpose {
            case .login(let user, let host): target = [user] + (host.map { [$0.fingerprint] } ?? [])
            case .file(let namespace): target = [namespace]
            case .certificate, .raw: target = []
            }
        case .read(let operation, let name), .use(let operation, let name), .decide(let operation, let name):
            subject = [operation, name]
            target = []
        // The question is put before a program reads, and again while it does: the operation is no part of it.
        case .item(_, let item):
            subject = [item.id]
            target = []
        // To change an item and to delete it are one question; to store another in its place is none that shows this.
        case .itemChange(let operation, let item):
            subject = act.managesItem ? [item.id] : [operation, item.id]
            target = []
        case .applicationKey(let operation, let name), .collection(let operation, let name):
            subject = [operation, name]
            target = []
        }
    }
}

extension Approval {
    /// A yes ahead of the next read of an item over one connection: a program on the bus has the item opened, and reads it
    /// then.
    ///
    /// - Parameters:
    ///   - item: the id of the item.
    ///   - connection: the name of the connection on the bus.
    package init(nextReadOf item: String, over connection: String) {
        (kind, subject, target) = (.item, [item], [connection])
        (program, process, script, uid) = ("", [], nil, .max)
    }
}

extension Act {
    /// Whether it changes or deletes an item as such: a person who lets a program do one of them lets it have the item, too.
    public var managesItem: Bool {
        if case .itemChange(let operation, _) = self { operation != ItemOperation.make } else { false }
    }

    /// What a yes to this act covers: a yes to change or delete an item also covers that it is read.
    public var approved: [Act] {
        guard managesItem, let item else { return [self] }
        return [self, .item(operation: ItemOperation.get, item)]
    }
}

/// The operations on items that the policy and its questions tell apart, by name.
package enum ItemOperation {
    package static let get = "item.get"
    package static let make = "item.make"
    package static let set = "item.set"
    package static let access = "item.access"
    package static let open = "item.open"
    package static let removeCollection = "item.collection-remove"
}

/// Programs that do what any other program tells them to: that one of them made an item says nothing of who reads it.
public enum SharedTools {
    /// Names of files, to which a version may be added: interpreters, shells, and tools of the bus.
    public static let names: Set<String> = [
        "R", "Rscript", "bash", "busctl", "bun", "busybox", "cjs", "csh", "dash", "dbus-send", "deno",
        "dotnet", "fish", "gdbus", "java", "julia", "ksh", "mksh", "mono", "node", "nodejs", "nu", "perl",
        "pwsh", "secret-tool", "sh", "tcsh", "xdg-dbus-proxy", "xonsh", "zsh",
    ]
    /// What names of files begin with where a version or a word may follow: interpreters and their kin, and helpers that
    /// print what they keep.
    public static let beginnings = [
        "docker-credential-", "electron", "emacs", "git-credential-", "gjs", "guile", "ld-linux",
        "ld-musl-", "ld.so", "lua", "perl", "php", "pypy", "python", "qdbus", "ruby", "tclsh", "wish",
    ]

    /// Whether a program is such a tool.
    ///
    /// Of a Flatpak or a snap that is not asked: what the sandbox is called is the application in it.
    public static func contains(_ program: ProgramIdentity) -> Bool {
        guard program.text.utf8.first == 0x2F, let file = program.text.split(separator: "/").last else {
            return false
        }
        let name = String(file)
        // Such as node-20, node22 and ksh93.
        let versions = Array("0123456789.-".utf8)
        let plain = String(
            decoding: name.utf8.reversed().drop { versions.contains($0) }.reversed(),
            as: UTF8.self
        )
        return names.contains(name) || names.contains(plain)
            || beginnings.contains { name.utf8.starts(with: $0.utf8) }
    }
}
