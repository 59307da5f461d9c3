internal import Glibc
package import System

/// The environment of the program, which may explain why the desktop's keyring cannot be reached.
package enum HostEnvironment: String, CaseIterable, Sendable {
    /// A login over SSH.
    case ssh
    /// A container.
    case container
    /// Windows Subsystem for Linux.
    case wsl
    /// Any other environment: a desktop, or a machine without one.
    case plain

    private static let containerFiles = ["/.dockerenv", "/run/.containerenv", "/.flatpak-info"]
    private static let containerGroups = ["docker", "kubepods", "containerd", "libpod", "lxc"]

    /// Detects the environment by variables and a few files; the best explanation comes first.
    ///
    /// - Parameters:
    ///   - variables: An environment variable; nil when it is unset or empty.
    ///   - exists: Whether there is a file of that name.
    ///   - text: The text of a file; nil if it cannot be read.
    /// - Returns: `plain` when there is no sign of the others.
    package static func of(
        variables: (String) -> String?,
        exists: (String) -> Bool,
        text: (String) -> String?
    ) -> HostEnvironment {
        if variables("SSH_CONNECTION") != nil || variables("SSH_TTY") != nil { return .ssh }
        if variables("container") != nil || containerFiles.contains(where: exists) { return .container }
        // The first process of a container of cgroup version 1 names its engine; version 2 hides it.
        let groups = text("/proc/1/cgroup") ?? ""
        if containerGroups.contains(where: { groups.contains($0) }) { return .container }
        if variables("WSL_DISTRO_NAME") != nil { return .wsl }
        let kernel = text("/proc/version")?.lowercased() ?? ""
        return kernel.contains("microsoft") ? .wsl : .plain
    }

    /// The environment of this program.
    package static func here(_ environment: Environment = .process) -> HostEnvironment {
        of(
            variables: { environment[$0] },
            exists: { Path.exists($0) },
            text: { Path.beginning(of: $0) }
        )
    }
}

/// The wall clock, as the store wants it.
package enum SystemTime {
    /// Milliseconds of Unix time.
    package static let milliseconds: @Sendable () -> UInt64 = {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
    }

    /// Seconds of Unix time.
    package static var seconds: Int64 { Int64(milliseconds() / 1_000) }
}

/// Programs of ours, by where they are installed.
package enum InstalledProgram {
    /// The file that is running; nil when it is gone.
    package static var running: String? { file.flatMap { Path.resolved($0) == $0 ? $0 : nil } }

    /// The file that is running, as the kernel names it.
    private static var file: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Another of our programs: beside this one, else where packages put it.
    ///
    /// After an update the file of this program is gone and its folder has the new programs.
    package static func path(of name: String) -> String? {
        let beside = file.map { Path.folder(of: $0) + "/" + name }
        return [beside, "/usr/libexec/" + name].compactMap(\.self).first { unsafe access($0, X_OK) == 0 }
    }
}
