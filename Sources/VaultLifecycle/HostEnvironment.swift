internal import Glibc
package import System

/// Where the program runs, as far as that explains why the desktop's keyring is out of reach.
package enum HostEnvironment: String, CaseIterable, Sendable {
    /// A login over SSH.
    case ssh
    /// A container.
    case container
    /// Windows Subsystem for Linux.
    case wsl
    /// None of these: a desktop, or a machine without one.
    case plain

    private static let containerFiles = ["/.dockerenv", "/run/.containerenv", "/.flatpak-info"]
    private static let containerGroups = ["docker", "kubepods", "containerd", "libpod", "lxc"]

    /// Judges by what the environment and a few files say; the one that explains most comes first.
    ///
    /// - Parameters:
    ///   - variables: An environment variable; nil when it is unset or empty.
    ///   - exists: Whether there is a file of that name.
    ///   - text: What a file says; nil when it cannot be read.
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

    /// This place.
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
