import Foundation
import RecordStore
import Support
import Testing

/// Which disk holds what, from a tree that looks like the kernel's.
@Suite struct DiskOfTests {
    private let scratch: StoreScratch
    private var devices: String { scratch.path + "/dev/block" }

    init() throws {
        scratch = try StoreScratch()
        let manager = FileManager.default
        func folder(_ path: String) throws {
            try manager.createDirectory(
                atPath: "\(scratch.path)/\(path)",
                withIntermediateDirectories: true
            )
        }
        func link(_ number: String, to path: String) throws {
            try manager.createSymbolicLink(
                atPath: "\(scratch.path)/\(number)",
                withDestinationPath: "\(scratch.path)/\(path)"
            )
        }
        try folder("dev/block")
        for (disk, parts) in [("sda", ["sda1", "sda2"]), ("sdb", ["sdb1"])] {
            for part in parts {
                try folder("devices/\(disk)/\(part)/slaves")
                try Data("1\n".utf8).write(
                    to: URL(fileURLWithPath: "\(scratch.path)/devices/\(disk)/\(part)/partition")
                )
            }
        }
        try folder("devices/dm-0/slaves")
        try folder("devices/dm-1/slaves")
        for (number, path) in [
            ("8:0", "sda"), ("8:1", "sda/sda1"), ("8:2", "sda/sda2"), ("8:17", "sdb/sdb1"),
            ("254:0", "dm-0"), ("254:1", "dm-1"),
        ] { try link("dev/block/\(number)", to: "devices/\(path)") }
        try link("devices/dm-0/slaves/sda2", to: "devices/sda/sda2")
        // On itself, as no kernel has it.
        try link("devices/dm-1/slaves/dm-1", to: "devices/dm-1")
    }

    private func disk(_ number: String) -> DiskOf { DiskOf(device: number, devices: devices) }

    @Test func `partitions of one disk are lost together, and so is what is mapped onto them`() {
        #expect(disk("8:1").disks == ["sda"] && disk("8:0").disks == ["sda"])
        #expect(disk("8:1").isShared(with: disk("8:2")))
        #expect(disk("254:0").disks == ["sda"] && disk("254:0").isShared(with: disk("8:1")))
        #expect(!disk("8:1").isShared(with: disk("8:17")))
    }

    @Test func `what has no disk is one of its own, and a circle ends`() {
        #expect(disk("0:53").disks == ["0:53"] && !disk("0:53").isShared(with: disk("0:54")))
        #expect(disk("254:1").disks == ["254:1"])
    }

    @Test func `two files of one folder share a disk, and nothing has none`() throws {
        let here = try #require(DiskOf(scratch.path))
        #expect(here.isShared(with: try #require(DiskOf(scratch.path + "/dev"))))
        #expect(DiskOf(scratch.path + "/nothing") == nil)
    }
}
