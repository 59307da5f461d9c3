internal import Files
internal import System

/// The bare repository in the state folder of a log, and `git` on it.
///
/// It is a copy: where a git that was killed left it unusable, it is made anew from the remote.
struct GitMirror {
    /// How a git ended, and what it said in English.
    struct End {
        let status: Int32
        let output: [UInt8]
        let errors: String
    }

    let folder: String
    let runner: HelperRunner
    let signals: SignalWatch?
    let largestFile: Int

    /// The longest that one git may take, in seconds.
    private static let seconds = 600

    /// No hooks, no other protocol, nothing by the way.
    ///
    /// Objects are checked as they come, and a large one is never held in memory. Each fetch makes one pack, whose size
    /// the limit of files bounds.
    private static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
        "core.autocrlf=false",
        "core.bigFileThreshold=2m", "core.logAllRefUpdates=false", "core.alternateRefsCommand=",
        "transfer.fsckObjects=true", "fetch.fsckObjects=true", "fetch.unpackLimit=1", "fetch.prune=false",
        "fetch.recurseSubmodules=false", "fetch.writeCommitGraph=false", "fetch.showForcedUpdates=false",
        "submodule.recurse=false", "push.recurseSubmodules=no", "push.followTags=false", "push.gpgSign=false",
        "push.pushOption=",
        "protocol.allow=never", "protocol.ext.allow=never", "protocol.file.allow=always",
        "protocol.ssh.allow=always", "protocol.https.allow=always", "http.followRedirects=false",
        "fastimport.unpackLimit=1", "gc.autoDetach=false", "maintenance.auto=false",
    ]

    /// What makes the other side of a remote on this machine run nothing that its own settings and hooks name.
    ///
    /// Settings of the mirror do not reach that side. It has no protocol, so it also fetches nothing that it lacks.
    static func otherSide(_ option: String, _ program: String, of address: String) -> [String] {
        guard address.hasPrefix("file://") else { return [] }
        let settings = [
            "core.hooksPath=/dev/null", "core.alternateRefsCommand=true", "core.fsmonitor=false",
            "receive.autogc=false", "receive.denyCurrentBranch=refuse",
        ]
        let words = ["GIT_ALLOW_PROTOCOL=none", "git"] + settings.flatMap { ["-c", $0] } + [program]
        return ["\(option)=\(words.joined(separator: " "))"]
    }

    /// What authentication needs that is git's own: ssh's agent and settings, the credential helpers and theirs.
    private static let passed = [
        "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO",
        "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
        "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY", "ALL_PROXY",
    ]

    /// Runs git on the mirror.
    ///
    /// - Throws: `helperMissing`; `tooLarge` for more output than `limit`; `unreachable` after ten minutes;
    ///   `interrupted`.
    func run(_ words: [String], input: [UInt8] = [], limit: Int = 1 << 16) throws(CarrierError) -> End {
        do throws(ProgramError) {
            var git = try runner.process(
                .git,
                Self.settings.flatMap { ["-c", $0] } + ["--git-dir=\(folder)"] + words,
                passing: Self.passed,
                setting: [
                    "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:ssh:https",
                    "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1",
                ]
            )
            git.input = input
            git.limit = limit
            git.seconds = Self.seconds
            git.largestFile = largestFile
            git.leadsSession = true
            git.signals = signals
            let end = try git.runKeepingErrors()
            return End(
                status: end.status,
                output: end.output,
                errors: String(decoding: end.errors, as: UTF8.self)
            )
        } catch {
            throw CarrierError(error)
        }
    }

    /// Makes it where there is none.
    func make() throws(CarrierError) {
        let end = try run(["init", "--bare", "--quiet", "--template=", folder])
        guard end.status == 0 else { throw Self.failure(end) }
    }

    /// The files of its packs.
    private var packs: [FileFacts] {
        let packs = "\(folder)/objects/pack"
        return (Folder.names(in: packs) ?? []).compactMap { FileFacts(at: "\(packs)/\($0)") }.filter(\.isFile)
    }

    /// Bytes of its packs, with what a fetch that was cut off left.
    var packBytes: Int { packs.reduce(0) { $0 + Int($1.size) } }

    /// How many files its packs are.
    var packFiles: Int { packs.count }

    /// Removes it, so that the next act makes it anew.
    func remove() throws(CarrierError) {
        var program = ChildProcess(path: "/bin/rm")
        program.arguments = ["-rf", "--", folder]
        program.seconds = 60
        do {
            guard try program.run().status == 0 else { throw ProgramError.notReadable }
        } catch {
            throw .unreachable
        }
    }

    /// What git's last words mean.
    static func failure(_ end: End) -> CarrierError {
        func says(_ texts: String...) -> Bool { texts.contains { end.errors.contains($0) } }
        if says("No space left on device", "Disk quota exceeded") { return .full }
        // SIGXFSZ, of git itself or of a program that it started.
        if end.status == 128 + 25 || says("died of signal 25", "File size limit exceeded", "File too large") {
            return .tooLarge
        }
        if says("cannot run ssh", "ssh: not found") { return .helperMissing(.ssh) }
        if says("Host key verification failed", "certificate verification failed", "SSL certificate problem")
        {
            return .notTrusted
        }
        if says(
            "Permission denied",
            "Authentication failed",
            "could not read Username",
            "could not read Password",
            "Too many authentication failures",
            "returned error: 401",
            "returned error: 403",
            "terminal prompts disabled"
        ) {
            return .refused
        }
        let isWrong = says(
            "fsck error",
            "error in object",
            "bad object",
            "did not send all necessary objects",
            "non-commit object",
            "pack is corrupted",
            "repository corruption on the remote side",
            "inconsistent"
        )
        if isWrong { return .damaged(.unreadable) }
        // The one that takes the pack ended by the signal, and had nothing to say.
        if says("invalid index-pack output") { return .tooLarge }
        return .unreachable
    }
}
