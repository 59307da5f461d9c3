import Glibc
import LogCarriers
import System
import Testing

extension CarrierTests {
    /// What a git remote does to a log that its own client would not.
    struct GitTests {
        private let place: GitPlace
        private let one: any LogCarrier
        private let other: any LogCarrier

        init() throws {
            place = try GitPlace()
            one = try place.carrier(1)
            other = try place.carrier(2)
            #expect(try one.create((1...3).map { entry(1, $0) }, at: 1) == .created)
        }

        /// Puts a commit with this tree on the branch, as anybody who may push can.
        private func commit(tree lines: String) throws {
            let tree = try place.onRemote(["mktree", "--missing"], input: lines).split(separator: "\n")[0]
            let commit = try place.onRemote(["commit-tree", "-m", "x", String(tree)]).split(separator: "\n")[
                0
            ]
            try place.onRemote(["update-ref", "refs/heads/\(logName)", String(commit)])
        }

        private func foreign(_ name: String) -> CarrierError { .damaged(.foreign("00000000000000/\(name)")) }

        private func blob(_ text: String = "x") throws -> String {
            String(
                try place.onRemote(["hash-object", "-w", "--stdin"], input: text).split(separator: "\n")[0]
            )
        }

        @Test func `each entry is a commit that says nothing of its author`() throws {
            let log = try place.onRemote(["log", "--format=%an|%ae|%at|%cn|%ct|%s", logName])
            #expect(log == String(repeating: "hsip||0|hsip|0|.\n", count: 3))
            let files = try place.onRemote(["ls-tree", "-r", "--name-only", logName])
            #expect(files == (1...3).map { "00000000000000/000000000000000\($0)\n" }.joined())
        }

        @Test func `the same entry put by two tries is one commit`() throws {
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
            let tip = try place.onRemote(["rev-parse", logName])
            // The answer was lost and the mirror with it.
            let again = try place.carrier(9)
            #expect(try again.create([entry(1, 4)], at: 4) == .taken)
            #expect(try place.onRemote(["rev-parse", logName]) == tip)
        }

        @Test func `a machine that is behind is told so and writes after reading`() throws {
            #expect(try other.read(from: 1, bytes: 1_000).entries.count == 3)
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
            #expect(try other.create([entry(2, 4)], at: 4) == .taken)
            #expect(try other.read(from: 4, bytes: 1_000).entries == [entry(1, 4)])
            #expect(try other.create([entry(2, 5)], at: 5) == .created)
        }

        @Test func `a deleted branch is an empty log, and is not made again in passing`() throws {
            #expect(try other.range() == LogRange(oldest: 1, newest: 3))
            try place.onRemote(["update-ref", "-d", "refs/heads/\(logName)"])
            #expect(try other.create([entry(2, 4)], at: 4) == .taken)
            #expect(try other.range() == .empty)
            #expect(try one.read(from: 4, bytes: 1_000) == LogPage(.empty))
            // A machine that goes on begins no other log.
            #expect(throws: CarrierError.gap) { try one.create([entry(1, 4)], at: 4) }
            #expect(throws: CarrierError.gap) { try other.create([entry(2, 4)], at: 4) }
            #expect(try other.range() == .empty)
        }

        @Test func `a remote names the logs that it has`() throws {
            try place.onRemote(["update-ref", "refs/heads/hsip-other", logName])
            let deep = "hsip-" + String(repeating: "5a", count: 16)
            try place.onRemote(["update-ref", "refs/heads/hsip-deep/\(deep)", logName])
            try place.onRemote(["update-ref", "refs/x/refs/heads/\(deep)", logName])
            let address = try CarrierAddress(.git, place.address)
            let home = CarrierHome(
                mirror: "\(place.scratch.path)/none",
                runner: HelperRunner(environment: place.environment)
            )
            #expect(try address.logs(home) == [logID])
            #expect(try address.carrier(of: logID, home).range() == LogRange(oldest: 1, newest: 3))
            try place.onRemote(["update-ref", "-d", "refs/heads/\(logName)"])
            #expect(try address.logs(home) == [])
            let lost = try CarrierAddress(.git, "file:///nonexistent/hsip.git")
            #expect(throws: CarrierError.unreachable) { try lost.logs(home) }
        }

        @Test func `a mirror that many creates went through stays small`() throws {
            for number in 4...80 {
                #expect(try one.create([entry(1, number)], at: UInt64(number)) == .created)
            }
            let files = try tool(["find", "\(place.scratch.path)/mirror-1/objects", "-type", "f"])
            #expect(files.split(separator: "\n").count < 130)
            #expect(try other.read(from: 80, bytes: 1_000).entries == [entry(1, 80)])
        }

        @Test func `a branch that was set back shows fewer entries`() throws {
            #expect(try other.range() == LogRange(oldest: 1, newest: 3))
            try place.onRemote(["update-ref", "refs/heads/\(logName)", "\(logName)~2"])
            #expect(try other.read(from: 4, bytes: 1_000) == LogPage(LogRange(oldest: 1, newest: 1)))
            #expect(throws: CarrierError.gap) { try other.create([entry(2, 4)], at: 4) }
        }

        @Test func `a branch that was forced to another history shows that one`() throws {
            #expect(try other.range() == LogRange(oldest: 1, newest: 3))
            let elsewhere = try GitPlace()
            #expect(try elsewhere.carrier(1).create((1...4).map { entry(7, $0) }, at: 1) == .created)
            let branch = "refs/heads/\(logName)"
            try place.onRemote(["fetch", "--quiet", elsewhere.address, "+\(branch):\(branch)"])
            #expect(try other.create([entry(2, 4)], at: 4) == .taken)
            #expect(try other.read(from: 4, bytes: 1_000).entries == [entry(7, 4)])
            #expect(try other.read(from: 1, bytes: 1_000).entries == (1...4).map { entry(7, $0) })
        }

        @Test func `a protected branch keeps everything and takes new entries`() throws {
            try place.onRemote(["config", "receive.denyNonFastForwards", "true"])
            #expect(try one.trim(below: 3) == .refused)
            #expect(try other.range() == LogRange(oldest: 1, newest: 3))
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
        }

        @Test func `a remote that refuses pushes says so, and is still read`() throws {
            // A branch that somebody has checked out; a setting to write over that one's files does not count.
            try place.onRemote(["symbolic-ref", "HEAD", "refs/heads/\(logName)"])
            try place.onRemote(["config", "receive.denyCurrentBranch", "updateInstead"])
            try place.onRemote(["config", "core.bare", "false"])
            #expect(throws: CarrierError.refused) { try one.create([entry(1, 4)], at: 4) }
            #expect(try other.read(from: 3, bytes: 1_000).entries == [entry(1, 3)])
            try place.onRemote(["config", "core.bare", "true"])
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
        }

        @Test(arguments: [
            ("120000 blob", "0000000000000004"), ("160000 commit", "0000000000000004"),
            ("100755 blob", "0000000000000004"), ("100644 blob", "4"), ("100644 blob", "000000000000000A"),
            ("100644 blob", "-oProxyCommand=id"), ("100644 blob", "ffffffffffffffff"),
            ("100644 blob", "0000000000000104"), ("100644 blob", "0000000000000000"),
        ])
        func `a tree with anything but entries is no log`(mode: String, name: String) throws {
            // A submodule is a commit that need not be here.
            let object = mode.hasSuffix("commit") ? String(repeating: "5", count: 40) : try blob()
            let inner = try place.onRemote(["mktree", "--missing"], input: "\(mode) \(object)\t\(name)\n")
            try commit(tree: "040000 tree \(inner.split(separator: "\n")[0])\t00000000000000\n")
            #expect(throws: foreign(name)) { try other.read(from: 1, bytes: 1_000) }
            #expect(throws: foreign(name)) { try other.create([entry(2, 4)], at: 9) }
        }

        @Test func `a branch of something else than commits is no log`() throws {
            _ = try place.scratch.write("remote.git/refs/heads/\(logName)", "\(try blob())\n")
            #expect(throws: CarrierError.self) { try other.range() }
        }

        @Test func `an entry above the limit is not read`() throws {
            let big = try blob(String(repeating: "x", count: CarrierLimits.entry + 1))
            let inner = try place.onRemote(["mktree"], input: "100644 blob \(big)\t0000000000000004\n")
            let tip = String(try place.onRemote(["rev-parse", logName]).split(separator: "\n")[0])
            try commit(tree: "040000 tree \(inner.split(separator: "\n")[0])\t00000000000000\n")
            #expect(throws: CarrierError.tooLarge) { try other.range() }
            // What is here of it does not keep the log from being read once the remote is well again.
            try place.onRemote(["update-ref", "refs/heads/\(logName)", tip])
            #expect(try other.read(from: 3, bytes: 1_000).entries == [entry(1, 3)])
        }

        @Test func `a pack above the limit is cut off, and the log is read again without it`() throws {
            let noise = "\(place.scratch.path)/noise"
            try tool(["dd", "if=/dev/urandom", "of=\(noise)", "bs=1M", "count=3"])
            let tip = String(try place.onRemote(["rev-parse", logName]).split(separator: "\n")[0])
            let big = try place.onRemote(["hash-object", "-w", noise]).split(separator: "\n")[0]
            try commit(tree: "100644 blob \(big)\tnoise\n")
            let limited = try place.git(2, largestFile: 2 << 20)
            #expect(throws: CarrierError.tooLarge) { try limited.range() }
            try place.onRemote(["update-ref", "refs/heads/\(logName)", tip])
            #expect(try limited.range() == LogRange(oldest: 1, newest: 3))
        }

        @Test func `hooks, settings and programs of the remote's side do not run here`() throws {
            let trace = "\(place.scratch.path)/ran"
            _ = try place.scratch.write(
                ".gitconfig",
                "[core]\n\thooksPath = \(place.scratch.path)/hooks\n\tfsmonitor = \"touch \(trace)\"\n"
            )
            _ = try place.scratch.folder("hooks")
            let hook = "#!/bin/sh\ntouch \(trace)\n"
            for name in ["pre-push", "post-checkout", "pre-auto-gc"] {
                _ = try place.scratch.write("hooks/\(name)", hook, mode: 0o700)
            }
            #expect(try other.create([entry(2, 4)], at: 4) == .created)
            // Of a push, the other side runs this one, which has its own settings.
            _ = try place.scratch.write("hooks/reference-transaction", hook, mode: 0o700)
            #expect(try one.read(from: 4, bytes: 1_000).entries == [entry(2, 4)])
            #expect(unsafe access(trace, F_OK) != 0)
        }

        @Test func `hooks and programs that a remote on this machine names do not run`() throws {
            let trace = "\(place.scratch.path)/ran"
            let program = try place.scratch.write("program", "#!/bin/sh\ntouch \(trace)\n", mode: 0o700)
            try tool(["mkdir", "-p", "\(place.remote)/hooks"])
            for name in [
                "pre-receive", "update", "post-receive", "post-update", "reference-transaction",
                "proc-receive", "pre-auto-gc",
            ] {
                _ = try place.scratch.write(
                    "remote.git/hooks/\(name)",
                    "#!/bin/sh\ntouch \(trace)\n",
                    mode: 0o700
                )
            }
            for name in ["core.alternateRefsCommand", "core.fsmonitor", "uploadpack.packObjectsHook"] {
                try place.onRemote(["config", name, program])
            }
            try place.onRemote(["config", "gc.auto", "1"])
            let alternate = try GitPlace()
            _ = try place.scratch.write("remote.git/objects/info/alternates", "\(alternate.remote)/objects\n")
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
            #expect(try other.read(from: 4, bytes: 1_000).entries == [entry(1, 4)])
            #expect(unsafe access(trace, F_OK) != 0)
            // Git by itself does run them.
            try place.onRemote(["update-ref", "refs/heads/other", logName])
            #expect(unsafe access(trace, F_OK) == 0)
        }

        @Test func `git is called once if nothing is new, and twice for a change`() throws {
            let calls = "\(place.scratch.path)/calls"
            let bin = try place.scratch.folder("bin")
            _ = try place.scratch.write(
                "bin/git",
                "#!/bin/sh\ncase $* in *--git-dir=*) echo call >>\(calls);; esac\nexec /usr/bin/git \"$@\"\n",
                mode: 0o700
            )
            let counted = try place.git(2, variables: ["PATH": "\(bin):/usr/bin:/bin"])
            func counting<R>(_ act: () throws -> R) throws -> (R, Int) {
                try tool(["rm", "-f", calls])
                let result = try act()
                return (result, try tool(["cat", calls]).split(separator: "\n").count)
            }
            #expect(try counted.latest(from: 1, bytes: 1_000).entries.count == 3)
            #expect(try counting { try counted.latest(from: 3, bytes: 1_000).entries } == ([entry(1, 3)], 1))
            let made = try counting { try counted.create([entry(2, 4)], at: 4) { $0 == entry(1, 3) } }
            #expect(made == (.created, 2))
            #expect(try counting { try counted.latest(from: 4, bytes: 1_000).entries } == ([entry(2, 4)], 1))
        }

        @Test(arguments: ["cut", "gone", "other"])
        func `the newest entry that a mirror keeps counts only for its commit`(fault: String) throws {
            let kept = "\(place.scratch.path)/mirror-2/hsip-newest"
            #expect(try other.latest(from: 1, bytes: 1_000).entries.count == 3)
            let old = try tool(["cat", kept])
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
            #expect(try other.latest(from: 3, bytes: 1_000).entries == [entry(1, 3), entry(1, 4)])
            switch fault {
            case "cut": #expect(unsafe truncate(kept, 90) == 0)
            case "gone": try tool(["rm", kept])
            default: _ = try place.scratch.write("mirror-2/hsip-newest", old)
            }
            #expect(try other.latest(from: 4, bytes: 1_000).entries == [entry(1, 4)])
            // Set back to before: what was kept is of no use.
            try place.onRemote(["update-ref", "refs/heads/\(logName)", "\(logName)^"])
            #expect(try other.latest(from: 4, bytes: 1_000).range == LogRange(oldest: 1, newest: 3))
        }

        @Test func `a mirror with more packs than a log can need is made anew`() throws {
            let limited = try place.git(2, largestFile: 2 << 20)
            #expect(try limited.range() == LogRange(oldest: 1, newest: 3))
            let left = try place.scratch.write("mirror-2/objects/pack/tmp_pack_x", "")
            #expect(unsafe truncate(left, 5 << 20) == 0)
            #expect(try limited.range() == LogRange(oldest: 1, newest: 3))
            #expect(unsafe access(left, F_OK) != 0)
        }

        @Test(arguments: ["refs/heads/\(logName).lock", "HEAD", "objects"])
        func `a mirror that a stop left unusable is made anew`(name: String) throws {
            #expect(try other.range() == LogRange(oldest: 1, newest: 3))
            let path = "\(place.scratch.path)/mirror-2/\(name)"
            if name.hasSuffix(".lock") {
                _ = try place.scratch.write("mirror-2/\(name)", "")
                #expect(try one.create([entry(1, 4)], at: 4) == .created)
            } else {
                try tool(["rm", "-rf", path])
                #expect(try one.create([entry(1, 4)], at: 4) == .created)
            }
            #expect(try other.read(from: 4, bytes: 1_000).entries == [entry(1, 4)])
        }

        @Test func `a remote that is not there is unreachable, and what was sent to it unknown`() throws {
            let lost = try place.git(5, address: "file:///nonexistent/hsip.git")
            #expect(throws: CarrierError.unreachable) { try lost.range() }
            #expect(try lost.create([entry(1, 1)], at: 1) == .unknown)
        }

        @Test func `without git there is a name for what is missing`() throws {
            let bare = try GitCarrier(
                try CarrierAddress(.git, place.address),
                logID: logID,
                mirror: "\(place.scratch.path)/mirror-6",
                runner: HelperRunner(environment: Environment(["PATH": place.scratch.path]))
            )
            #expect(throws: CarrierError.helperMissing(.git)) { try bare.range() }
        }

        @Test
        func `a host whose key is not known is not trusted, and one that refuses the login is told apart`()
            throws
        {
            let ssh = try SSHPlace()
            #expect(throws: CarrierError.notTrusted) { try ssh.carrier(1, host: "other.example").range() }
            _ = try ssh.git.scratch.write("authorized_keys", "")
            #expect(throws: CarrierError.refused) { try ssh.carrier(1).range() }
            #expect(throws: CarrierError.refused) { try ssh.carrier(1).create([entry(1, 1)], at: 1) }
        }
    }
}
