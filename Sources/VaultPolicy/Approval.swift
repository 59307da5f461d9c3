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
    private let uid: UInt32

    /// What a yes to this act would cover; nil for a program that is not known, because nothing would tell
    /// it from any other.
    public init?(_ act: Act, by requester: Requester) {
        guard let program = requester.program.path else { return nil }
        self.program = program
        let isShared = requester.bus?.identity.map(SharedTools.contains) ?? false
        process = isShared ? [UInt64(bitPattern: Int64(requester.pid)), requester.bus?.start ?? 0] : []
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
        case .itemChange(let operation, let item):
            subject = [operation, item.id]
            target = []
        case .applicationKey(let operation, let name), .collection(let operation, let name):
            subject = [operation, name]
            target = []
        }
    }
}
