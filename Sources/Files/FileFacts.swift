internal import CLinux
internal import Glibc

/// What `statx(2)` says about a file or a folder.
///
/// It does not ask for times. A write after a program asked for a file's times gives it a new one, which
/// costs the next `fdatasync(2)` a second write: a commit looks at its log each time, and took a fifth
/// longer.
package struct FileFacts: Equatable, Sendable {
    package let type: UInt32
    package let mode: UInt32
    package let owner: UInt32
    package let links: UInt64
    package let size: Int64
    /// Which file it is, whatever it is called.
    package let identity: Identity

    /// A file by its device and number.
    package struct Identity: Equatable, Sendable {
        let device: UInt64
        package let number: UInt64
    }

    /// The facts of a name; nil, with `errno`, if the system does not show them.
    ///
    /// - Parameters:
    ///   - path: The name; a relative one starts in `folder`.
    ///   - folder: The number of an open folder.
    ///   - followsLinks: False to look at a link itself.
    package init?(at path: String, in folder: Int32 = AT_FDCWD, followsLinks: Bool = false) {
        var facts = hsip_facts()
        guard unsafe hsip_look(folder, path, followsLinks ? 1 : 0, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Which file a path leads to, links followed; nil if it leads nowhere.
    package static func identity(behind path: String) -> Identity? {
        FileFacts(at: path, followsLinks: true)?.identity
    }

    /// The facts of an open file; nil, with `errno`, if the system refuses.
    init?(of file: Int32) {
        var facts = hsip_facts()
        guard unsafe hsip_look_open(file, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: hsip_facts) {
        type = facts.mode & S_IFMT
        mode = facts.mode & 0o7777
        owner = facts.owner
        links = UInt64(facts.links)
        size = Int64(clamping: facts.size)
        identity = Identity(device: facts.device, number: facts.number)
    }

    package var isLink: Bool { type == S_IFLNK }
    package var isFolder: Bool { type == S_IFDIR }
    package var isFile: Bool { type == S_IFREG }
    package var isSocket: Bool { type == S_IFSOCK }
    /// Whether it belongs to this user.
    package var isOwn: Bool { owner == geteuid() }
    /// Whether anybody but the owner may do anything with it.
    package var isShared: Bool { mode & 0o077 != 0 }
    /// Whether others may replace names in this folder: the sticky bit keeps them to their own.
    package var letsOthersReplace: Bool { mode & 0o022 != 0 && mode & 0o1000 == 0 }
}
