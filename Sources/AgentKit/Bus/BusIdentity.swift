internal import Files
internal import Glibc
internal import VaultPolicy

/// Identifies the program of a process on the bus, from facts of the kernel and of sandbox programs.
enum BusIdentity {
    /// The number of bytes of a sandbox's description that are read.
    private static let longest = 16 << 10

    /// Reads the identity; nil if the program cannot be identified.
    ///
    /// - Parameters:
    /// - pid: the process.
    /// - label: its label from the kernel's security module.
    /// - replaced: the identity if its file is no longer at its path; nil if unknown.
    /// - Returns: the program.
    static func read(
        _ pid: Int32,
        label: String?,
        replaced: () -> ProgramIdentity? = { nil }
    ) -> ProgramIdentity? {
        if let label, label.hasPrefix("snap.") { return snap(label, ProcessFacts.group(of: pid)) }
        // A Flatpak talks through a proxy in a sandbox of its own, which names the application.
        let description = "/proc/\(pid)/root/.flatpak-info"
        if isThere(description) {
            return ProcessFacts.read(description, atMost: longest).flatMap {
                flatpak($0, ProcessFacts.group(of: pid))
            }
        }
        guard ProcessFacts.isAmongUs(pid) else { return nil }
        return ProcessFacts.program(of: pid).path.map { ProgramIdentity($0) } ?? replaced()
    }

    /// Returns a Flatpak; its description and its control group must agree.
    ///
    /// The group must be the scope that Flatpak requests from systemd, exactly at its path:
    /// `app-flatpak-NAME-4711.scope`.
    static func flatpak(_ info: [UInt8], _ group: [String], uid: uid_t = geteuid()) -> ProgramIdentity? {
        guard let name = application(info), group.dropLast() == manager(uid) + ["app.slice"],
            let scope = unit(group),
            let number = rest(of: scope, after: "app-flatpak-\(escaped(name))-", before: ".scope"),
            let pid = Int32(number), pid > 0, "\(pid)" == number
        else { return nil }
        return ProgramIdentity("flatpak:\(name)")
    }

    /// Returns a snap; its label and its control group must agree.
    ///
    /// The group is a scope of the user: `snap.NAME.app-….scope`.
    static func snap(_ label: String, _ group: [String], uid: uid_t = geteuid()) -> ProgramIdentity? {
        let parts = label.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, isName(parts[1]), group.starts(with: manager(uid)), let scope = unit(group),
            rest(of: scope, after: "snap.\(parts[1]).", before: ".scope")?.isEmpty == false
        else { return nil }
        return ProgramIdentity("snap:\(parts[1])")
    }

    /// Returns the path of the units of a user's service manager.
    private static func manager(_ uid: uid_t) -> [String] {
        ["user.slice", "user-\(uid).slice", "user@\(uid).service"]
    }

    /// Returns the innermost group: a process of a sandbox is in no other group.
    private static func unit(_ group: [String]) -> String? { group.last }

    /// Returns the part of a text between two others; nil if they are not there.
    private static func rest(of text: String, after head: String, before tail: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.starts(with: head.utf8), bytes.reversed().starts(with: tail.utf8.reversed()),
            bytes.count >= head.utf8.count + tail.utf8.count
        else { return nil }
        return String(decoding: bytes.dropFirst(head.utf8.count).dropLast(tail.utf8.count), as: UTF8.self)
    }

    /// Escapes a name as Flatpak does for the name of a unit, in which hyphens separate parts.
    private static func escaped(_ name: Substring) -> String {
        name.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\x2d")
    }

    /// Whether a file exists, even empty; if it cannot be looked up, it counts as existing.
    private static func isThere(_ path: String) -> Bool {
        FileFacts(at: path) != nil || errno != ENOENT
    }

    /// Returns `name=` from the section `[Application]`; nil if it is missing, or occurs twice.
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

    private static func isName(_ name: Substring) -> Bool {
        (1...200).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || Array("._-".utf8).contains(byte)
            }
    }
}
