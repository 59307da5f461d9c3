internal import Files
internal import Glibc

/// The disks that a name lies on, as far as the kernel tells.
///
/// Two file systems on one disk are lost together. A file system without a disk of its own, such as a network's or an
/// overlay, counts as one.
package struct DiskOf: Equatable, Sendable {
    /// `sda`, `nvme0n1`; `0:53` for a file system without a block device.
    package let disks: Set<String>

    /// The disks of a file or folder; nil where there is nothing of that name.
    ///
    /// `devices` is where the kernel shows block devices by their numbers.
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

    /// Whether one disk holds something of both.
    package func isShared(with other: DiskOf) -> Bool { !disks.isDisjoint(with: other.disks) }

    /// The whole disks of a device: of a partition the disk around it, of a mapped device all that it is made of.
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
