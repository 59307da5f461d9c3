internal import CLinux
internal import Files
internal import Glibc

/// A file or a folder with the facts that show whether only the system could have put it there.
package struct SystemPlace: Equatable {
    /// FUSE_SUPER_MAGIC (linux/magic.h).
    private static let fuse = 0x6573_5546

    let owner: uid_t
    let mode: mode_t
    /// Whether the file system is a user's program, which can invent owners and modes.
    let isMadeUp: Bool

    init(owner: uid_t, mode: mode_t, isMadeUp: Bool = false) {
        (self.owner, self.mode, self.isMadeUp) = (owner, mode, isMadeUp)
    }

    /// The file or folder at a path; nil if the path leads nowhere.
    init?(_ path: String) {
        var facts = stat()
        var system = statfs()
        guard unsafe lstat(path, &facts) == 0, unsafe statfs(path, &system) == 0 else { return nil }
        self.init(owner: facts.st_uid, mode: facts.st_mode, isMadeUp: Int(system.f_type) == Self.fuse)
    }

    /// Whether only root can change a program, the folder that contains it and the folders above.
    ///
    /// All users may write to a folder further up if only owners remove files there, as in `/tmp`.
    ///
    /// - Parameter path: the path of the program, without links.
    /// - Returns: whether nobody but root could have put the program there.
    package static func holds(_ path: String) -> Bool { holds(path) { SystemPlace($0) } }

    /// Like `holds(_:)`, with the facts that `look` returns for a path.
    static func holds(_ path: String, _ look: (String) -> SystemPlace?) -> Bool {
        guard path.hasPrefix("/"), let file = look(path), file.mode & S_IFMT == S_IFREG, file.isSolid else {
            return false
        }
        var folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        guard let own = look(folder.isEmpty ? "/" : String(folder)), own.isSolid else { return false }
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let above = look(folder.isEmpty ? "/" : String(folder)),
                above.isSolid || above.isSticky
            else { return false }
        }
        return true
    }

    private var isSolid: Bool { owner == 0 && mode & 0o022 == 0 && !isMadeUp }
    private var isSticky: Bool { owner == 0 && mode & S_ISVTX != 0 && !isMadeUp }
}

/// The disks on which a file is stored, as far as the kernel shows them.
///
/// Two file systems on one disk are lost together. A file system without its own disk, such as a network file system or
/// an overlay, counts as one disk.
package struct DiskOf: Equatable, Sendable {
    /// `sda`, `nvme0n1`; `0:53` for a file system without a block device.
    package let disks: Set<String>

    /// The disks of a file or folder; nil if it does not exist.
    ///
    /// `devices` is the folder in which the kernel shows block devices by their numbers.
    package init?(_ path: String, devices: String = "/sys/dev/block") {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return nil }
        // makedev(3)
        let number = UInt64(facts.st_dev)
        let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
        let minor = number & 0xFF | (number >> 12) & ~0xFF
        self.init(device: "\(major):\(minor)", devices: devices)
    }

    /// The disks below one device number, `8:1`.
    package init(device: String, devices: String) {
        disks = Self.disks(of: "\(devices)/\(device)", depth: 8) ?? [device]
    }

    /// Whether both are stored on the same disk, at least in part.
    package func isShared(with other: DiskOf) -> Bool { !disks.isDisjoint(with: other.disks) }

    /// The whole disks of a device: the disk of a partition, or all disks of a mapped device.
    private static func disks(of link: String, depth: Int) -> Set<String>? {
        guard depth > 0, let device = Folder.resolved(link) else { return nil }
        let below = Folder.names(in: "\(device)/slaves") ?? []
        guard below.isEmpty else {
            let found = below.compactMap { disks(of: "\(device)/slaves/\($0)", depth: depth - 1) }
            return found.isEmpty ? nil : found.reduce(into: []) { $0.formUnion($1) }
        }
        let isPartition = unsafe access("\(device)/partition", F_OK) == 0
        let disk = isPartition ? Folder.parent(of: device) : device
        return disk.split(separator: "/").last.map { [String($0)] }
    }
}
