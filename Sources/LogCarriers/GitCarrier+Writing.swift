internal import System

extension GitCarrier {
    /// Creates commits in the mirror under a ref of their own.
    func draft(_ stream: [UInt8]) throws(Failure) {
        let end = try git(
            ["fast-import", "--quiet", "--force", "--done", "--date-format=raw"],
            input: stream + Array("done\n".utf8)
        )
        guard end.status != 0 else { return }
        if case .full = GitMirror.failure(end) { throw .carrier(.full) }
        throw .mirror
    }

    /// Pushes the draft if the remote branch is at that commit; nil means that the branch must not exist.
    func push(over tip: String?) throws(Failure) -> CreateOutcome {
        let end: GitMirror.End
        do throws(CarrierError) {
            // The user's settings cannot name this remote. If it accepts the push, git also moves the branch of the
            // mirror.
            let remote = "hsip-\(UInt64.random(in: 0...UInt64.max))"
            let settings = ["remote.\(remote).url=\(address)", "remote.\(remote).fetch=+\(branch):\(branch)"]
            end = try mirror.run(
                settings.flatMap { ["-c", $0] } + [
                    "push", "--porcelain", "--no-verify", "--no-follow-tags", "--recurse-submodules=no",
                    "--force-with-lease=\(branch):\(tip ?? "")",
                ] + GitMirror.otherSide("--receive-pack", "receive-pack", of: address)
                    + ["--", remote, "\(Self.draft):\(branch)"]
            )
        } catch .helperMissing(let program) {
            throw .carrier(.helperMissing(program))
        } catch .interrupted(let signal) {
            throw .carrier(.interrupted(signal: signal))
        } catch {
            return .unknown
        }
        for line in String(decoding: end.output, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1] == "\(Self.draft):\(branch)" else { continue }
            if fields[0] == "!" {
                // Only the messages show that the other side has no space.
                if case .full = GitMirror.failure(end) { throw .carrier(.full) }
                return try Self.rejection(String(fields[2]))
            }
            guard [" ", "*", "+", "="].contains(fields[0]), end.status == 0 else { return .unknown }
            return .created
        }
        // Git failed before it reported a result for the branch.
        switch GitMirror.failure(end) {
        case .refused, .notTrusted, .helperMissing: throw .carrier(GitMirror.failure(end))
        default: return .unknown
        }
    }

    private static func rejection(_ summary: String) throws(Failure) -> CreateOutcome {
        if summary.hasPrefix("[rejected]") { return .taken }
        // The messages of a server when another machine held the lock of the branch.
        let races = [
            "failed to update ref", "cannot lock ref", "failed to lock", "fetch first", "already exists",
        ]
        if races.contains(where: summary.contains) { return .unknown }
        guard summary.hasPrefix("[remote rejected]") else { return .unknown }
        if summary.contains("unpacker error") || summary.contains("missing necessary objects") {
            return .unknown
        }
        throw .carrier(.refused)
    }
}
