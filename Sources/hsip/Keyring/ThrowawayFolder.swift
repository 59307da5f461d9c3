internal import Files
internal import Glibc
internal import System

/// A private folder that is removed, with the processes that run in it, when this process ends in any way.
///
/// A shell waits at a pipe, which the system closes even if this process is killed. The shell, in a session of its
/// own, then ends those processes and removes the folder.
final class ThrowawayFolder {
    /// An ending process may still write, so removing the folder may need a second try.
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

    /// Creates the folder in the runtime folder of the session, otherwise in /tmp.
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

    /// Adds a child process that ends with the folder.
    func endsWith(_ process: Int32) {
        processes.append(process)
        try? Descriptor(pipe.writeEnd).write("\(process)\n")
    }

    /// Removes the folder, and waits until all processes have ended.
    func end() {
        pipe.close()
        waitpid(shell, nil, 0)
        // The shell has ended them, unless the shell was killed. Their numbers are not reused before they are
        // collected.
        for process in processes {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        processes = []
    }

    /// Creates the folder in the first suitable place.
    ///
    /// The place must exist, and its name must be valid in the address of a bus and of a socket.
    private static func makeFolder(_ places: [String]) throws(ProgramError) -> String {
        var code = ENOENT
        for place in places where place.hasPrefix("/") {
            guard place.utf8.count < 60, place.utf8.allSatisfy(isPlain), isPrivate(place) else { continue }
            if let folder = Folder.make("\(place)/hsip-keyring-") { return folder }
            code = errno
        }
        throw ProgramError(errno: code)
    }

    /// Whether no other user can rename this process's files there.
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
