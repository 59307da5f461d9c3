internal import FileStore
internal import Glibc
internal import Presentation
internal import System
internal import VaultCrypto
package import VaultLifecycle

/// The files around a vault: who may use them, what was left behind, where they lie.
package struct FileChecks {
    /// File systems on which something is not promised, by the number of statfs(2).
    private static let odd: [UInt32: String] = [
        0x6573_5546: "FUSE: the program behind it decides whether data reach the disk",
        0x794C_7630: "an overlay: data in a container are lost with the container",
        0x0102_1994: "tmpfs: data are lost after a restart",
    ]
    /// Less than this is warned of.
    private static let leastSpace: UInt64 = 64 << 20

    let place: VaultPlace
    /// The vault is a file, or will be one; else only what lies beside it is looked at.
    let isFile: Bool

    package init(place: VaultPlace, isFile: Bool) { (self.place, self.isFile) = (place, isFile) }

    package func findings() -> [Finding] {
        guard isFile else { return permissions() }
        return permissions() + leftovers() + [writing(), fileSystem(), space()].compactMap(\.self)
    }

    /// Only modes can be set right here; an owner or a link is for its owner to judge.
    private func permissions() -> [Finding] {
        let folder = Path.folder(of: place.file)
        let names = [folder, place.file, place.file + "-wal", place.file + "-shm", place.paths.anchorFolder]
        let anchors = Path.names(in: place.paths.anchorFolder)
            .filter { $0.hasPrefix("anchor-") || $0.hasPrefix("root-") }
            .map { "\(place.paths.anchorFolder)/\($0)" }
        let open = (names + anchors).compactMap { path -> Finding? in
            guard let mode = Path.mode(path), mode & 0o077 != 0 else { return nil }
            return Finding(
                check: .permissions,
                state: .problem,
                message: "\(path) must be private, and has mode \(octal(mode))",
                reason: "hsip opens no vault that other users can change",
                hint: "hsip doctor --fix-permissions",
                code: .unsafeFile,
                fix: Finding.Fix(question: "Remove other users' access to \(path)?") {
                    guard unsafe chmod(path, mode & 0o700) == 0 else { throw ConsoleError.io(code: errno) }
                }
            )
        }
        let config = Path.mode(place.configPath).flatMap { mode -> Finding? in
            guard mode & 0o022 != 0 else { return nil }
            return Finding(
                check: .permissions,
                state: .problem,
                message: "other users can change \(place.configPath) (mode \(octal(mode)))",
                reason: "the file records which vault is yours",
                hint: "hsip doctor --fix-permissions",
                code: .unsafeFile,
                fix: Finding.Fix(question: "Remove other users' access to \(place.configPath)?") {
                    guard unsafe chmod(place.configPath, mode & 0o700) == 0 else {
                        throw ConsoleError.io(code: errno)
                    }
                }
            )
        }
        if let config { return open + [config] }
        return open.isEmpty ? [.fine(.permissions, "the vault's files and folders are private")] : open
    }

    /// `new-` and twelve hexadecimal digits, also after `before-…`, and what SQLite puts beside it.
    private static func isDraft(_ ending: Substring) -> Bool {
        guard
            let mark = ending.hasPrefix("new-")
                ? ending.startIndex : ending.firstRange(of: ".new-")?.lowerBound,
            mark == ending.startIndex || ending.hasPrefix("before-")
        else { return false }
        let digits = ending[mark...].drop { $0 == "." }.dropFirst(4)
        return digits.prefix(12).count(where: \.isHexDigit) == 12
            && ["", "-journal", "-wal", "-shm"].contains(String(digits.dropFirst(12)))
    }

    private func leftovers() -> [Finding] {
        let folder = Path.folder(of: place.file)
        let start = place.file.split(separator: "/").last.map { "\($0)." } ?? ""
        let drafts = Path.names(in: folder).filter {
            $0.hasPrefix(start) && Self.isDraft($0.dropFirst(start.count))
        }
        let left = drafts.map { name in
            let path = "\(folder)/\(name)"
            return Finding(
                check: .leftovers,
                state: .warning,
                message: "an interrupted init, migrate or restore left \(path)",
                reason: "hsip never opens this file",
                hint: "hsip doctor --fix",
                fix: Finding.Fix(question: "Remove \(path)?") { Path.remove(path) }
            )
        }
        return left + trials()
    }

    /// Trials of a backup that were stopped: each has an encrypted copy of the vault.
    private func trials() -> [Finding] {
        ScratchHome.left(in: place.paths.anchorFolder).map { path in
            Finding(
                check: .leftovers,
                state: .warning,
                message: "an interrupted trial of a backup left \(path)",
                reason: "the file is an encrypted copy of the vault; the next trial removes it, too",
                hint: "hsip doctor --fix",
                fix: Finding.Fix(question: "Remove \(path)?") { ScratchHome.sweep(path) }
            )
        }
    }

    private func writing() -> Finding? {
        guard Path.exists(place.file) else { return nil }
        let folder = Path.folder(of: place.file)
        guard unsafe access(folder, X_OK) == 0 else {
            return Finding(
                check: .vaultFile,
                state: .problem,
                message: "you may not enter the folder \(folder)",
                reason: "hsip can read and write nothing in this folder",
                hint: "ls -ld \(folder)",
                code: .unsafeFile
            )
        }
        let names = [place.file, folder]
        guard let path = names.first(where: { unsafe access($0, W_OK) != 0 }) else { return nil }
        return Finding(
            check: .vaultFile,
            state: .problem,
            message: "\(path) cannot be written: \(unsafe String(cString: strerror(errno)))",
            reason:
                "you can read the vault, but send and store nothing: hsip counts every message in the vault first",
            hint: "ls -ld \(path)",
            code: .readOnly
        )
    }

    private func fileSystem() -> Finding? {
        guard let type = Path.fileSystem(of: Path.folder(of: place.file)) else { return nil }
        guard let reason = Self.odd[type] else { return .fine(.fileSystem, "a file system of this machine") }
        return Finding(
            check: .fileSystem,
            state: .notice,
            message: "the vault is on a special file system",
            reason: reason,
            hint: "hsip init --vault PATH  makes a vault elsewhere"
        )
    }

    private func space() -> Finding? {
        guard let free = Path.freeBytes(Path.folder(of: place.file)) else { return nil }
        guard free < Self.leastSpace else { return .fine(.diskSpace, "\(free >> 20) MiB are free") }
        return Finding(
            check: .diskSpace,
            state: .warning,
            message: "only \(free >> 20) MiB are free for the vault",
            reason: "if the disk is full, you can send nothing: hsip counts every message in the vault first",
            hint: "df -h"
        )
    }

    private func octal(_ mode: UInt32) -> String { String(mode, radix: 8) }
}
