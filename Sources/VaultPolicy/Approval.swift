/// The exact scope of a remembered approval, which is never wider than the prompt showed.
public struct Approval: Hashable, Sendable {
    private let kind: ActKind
    /// The key's fingerprint, the id of the item, or the operation and the name.
    private let subject: [String]
    /// The user and the server's key of a login, or the namespace of a file.
    private let target: [String]
    private let program: String
    /// The one process of a shared tool: the next process of the tool may act for somebody else.
    private let process: [UInt64]
    /// The script of an interpreter, or of the interpreter that started a tool.
    private let script: ScriptClaim?
    private let uid: UInt32

    /// Returns the scope of an approval of this act.
    ///
    /// It is nil for an unknown program, which cannot be told from another, and for an act that changes later
    /// decisions, since its name does not describe the change.
    ///
    /// - Parameters:
    /// - act: the act.
    /// - requester: the requester that may do it.
    /// - forScript: whether the approval covers every process that claims to run the same script, instead of this
    /// process only.
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
        // The person is asked before a program reads, and again while it reads, so the operation is not part of the
        // scope.
        case .item(_, let item):
            subject = [item.id]
            target = []
        // Changing and deleting an item have one prompt. Storing another item in its place has a prompt of its own.
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
    /// Creates an approval of the next read of an item over one connection: a program on the bus first unlocks the
    /// item and then reads it.
    ///
    /// - Parameters:
    /// - item: the id of the item.
    /// - connection: the name of the connection on the bus.
    package init(nextReadOf item: String, over connection: String) {
        (kind, subject, target) = (.item, [item], [connection])
        (program, process, script, uid) = ("", [], nil, .max)
    }
}

extension Act {
    /// Whether the approval covers changing or deleting an item, which includes reading it.
    public var managesItem: Bool {
        if case .itemChange(let operation, _) = self { operation != ItemOperation.make } else { false }
    }

    /// The acts that an approval of this act covers: changing or deleting an item includes reading it.
    public var approved: [Act] {
        guard managesItem, let item else { return [self] }
        return [self, .item(operation: ItemOperation.get, item)]
    }
}

/// The names of the item operations that the policy and its prompts distinguish.
package enum ItemOperation {
    package static let get = "item.get"
    package static let make = "item.make"
    package static let set = "item.set"
    package static let access = "item.access"
    package static let open = "item.open"
    package static let removeCollection = "item.collection-remove"
}

/// Tools that act for any other program, so that an item made by one says nothing about its readers.
public enum SharedTools {
    /// File names, possibly followed by a version: interpreters, shells, and tools of the bus.
    public static let names: Set<String> = [
        "R", "Rscript", "bash", "busctl", "bun", "busybox", "cjs", "csh", "dash", "dbus-send", "deno",
        "dotnet", "fish", "gdbus", "java", "julia", "ksh", "mksh", "mono", "node", "nodejs", "nu", "perl",
        "pwsh", "secret-tool", "sh", "tcsh", "xdg-dbus-proxy", "xonsh", "zsh",
    ]
    /// Beginnings of file names that a version or a word may follow: interpreters and similar tools, and helpers that
    /// print stored secrets.
    public static let beginnings = [
        "docker-credential-", "electron", "emacs", "git-credential-", "gjs", "guile", "ld-linux",
        "ld-musl-", "ld.so", "lua", "perl", "php", "pypy", "python", "qdbus", "ruby", "tclsh", "wish",
    ]

    /// Whether a program is such a tool.
    ///
    /// A Flatpak or a snap never is: the name of its sandbox is the name of the application.
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
