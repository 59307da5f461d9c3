internal import Files
internal import Glibc
internal import System

/// A private folder that is removed when this process ends, however it ends, with the processes that live in it.
///
/// A shell waits at a pipe: the system closes it also where this process is killed. The shell, which has a session of its
/// own, then ends those processes and removes the folder.
final class ThrowawayFolder {
    /// A process that is ending may still write, so the folder may need a second try.
    private static let script = """
        processes=
        while read -r process; do processes="$processes $process"; done
        [ -z "$processes" ] || kill -KILL $processes
        for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$1" && break; sleep 0.1; done
        """

    let path: String
    private let pipe: Pipe
    private let shell: Int32
    private var processes: [Int32] = []

    /// Makes it in the runtime folder of the session, else in /tmp.
    init(_ environment: Environment) throws(ProgramError) {
        path = try Self.makeFolder([environment["XDG_RUNTIME_DIR"], "/tmp"].compactMap(\.self))
        do throws(ProgramError) {
            pipe = try Pipe()
            let plan = SpawnPlan()
            plan.give(pipe.readEnd, as: STDIN_FILENO)
            for standard in [STDOUT_FILENO, STDERR_FILENO] { plan.giveNothing(as: standard) }
            plan.close(from: 3)
            plan.resetSignals()
            plan.leadSession()
            shell = try plan.start(["/bin/sh", "-c", Self.script, "sh", path], ["PATH=/usr/bin:/bin"])
        } catch {
            unsafe rmdir(path)
            throw error
        }
        pipe.closeReadEnd()
    }

    /// A process that ends with the folder; it is a child of this one.
    func endsWith(_ process: Int32) {
        processes.append(process)
        try? Descriptor(pipe.writeEnd).write("\(process)\n")
    }

    /// Ends it, and waits until everything is gone.
    func end() {
        pipe.close()
        waitpid(shell, nil, 0)
        // The shell has ended them, unless it was ended itself. Their numbers belong to no others before they are collected.
        for process in processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        processes = []
    }

    /// In the first place that is there, and whose name can stand in the address of a bus and of a socket.
    private static func makeFolder(_ places: [String]) throws(ProgramError) -> String {
        var code = ENOENT
        for place in places where place.hasPrefix("/") {
            guard place.utf8.count < 60, place.utf8.allSatisfy(isPlain), isPrivate(place) else { continue }
            if let folder = Folder.make("\(place)/hsip-keyring-") { return folder }
            code = errno
        }
        throw ProgramError(errno: code)
    }

    /// Whether no other user can rename what this one makes there.
    private static func isPrivate(_ place: String) -> Bool {
        guard let facts = FileFacts(at: place), facts.isFolder else { return false }
        let isOwn = facts.isOwn && facts.mode & 0o022 == 0
        return isOwn || facts.owner == 0 && facts.mode & S_ISVTX != 0
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
