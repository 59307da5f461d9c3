internal import Glibc
internal import VaultPolicy

/// Which program a process on the bus is, by what the kernel and the makers of sandboxes say of it.
enum BusIdentity {
    /// Bytes of a sandbox's description that are read.
    private static let longest = 16 << 10

    /// Reads who it is; nil for one that cannot be told.
    static func read(_ pid: Int32, label: String?, _ units: [String]) -> ProgramIdentity? {
        if let label, label.hasPrefix("snap.") { return snap(label, units) }
        // A Flatpak talks through a proxy in a sandbox of its own, which says whose it is.
        if let info = ProcessFacts.read("/proc/\(pid)/root/.flatpak-info", atMost: longest) {
            return flatpak(info, units)
        }
        guard ProcessFacts.isAmongUs(pid), let path = ProcessFacts.program(of: pid).path else { return nil }
        return ProgramIdentity(path)
    }

    /// A Flatpak: its description and its control group have to agree.
    static func flatpak(_ info: [UInt8], _ units: [String]) -> ProgramIdentity? {
        guard let name = application(info), isScope("app-flatpak-\(name)-", units) else { return nil }
        return ProgramIdentity("flatpak:\(name)")
    }

    /// A snap: its label and its control group have to agree.
    static func snap(_ label: String, _ units: [String]) -> ProgramIdentity? {
        let parts = label.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, isName(parts[1]), isScope("snap.\(parts[1]).", units) else {
            return nil
        }
        return ProgramIdentity("snap:\(parts[1])")
    }

    /// `name=` in the section `[Application]`; nil where it is missing, or there twice.
    private static func application(_ info: [UInt8]) -> Substring? {
        guard let text = String(validating: info, as: UTF8.self) else { return nil }
        var isInside = false
        var names: [Substring] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isInside = line == "[Application]"
            } else if isInside, line.hasPrefix("name=") {
                names.append(line.dropFirst(5))
            }
        }
        guard names.count == 1, isName(names[0]) else { return nil }
        return names[0]
    }

    /// Whether one of the units around a process is a scope that the system made for a sandboxed application:
    /// `app-flatpak-NAME-4711.scope`, `snap.NAME.app-….scope`.
    private static func isScope(_ beginning: String, _ units: [String]) -> Bool {
        units.contains { $0.hasPrefix(beginning) && $0.hasSuffix(".scope") }
    }

    private static func isName(_ name: Substring) -> Bool {
        (1...200).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || Array("._-".utf8).contains(byte)
            }
    }
}
