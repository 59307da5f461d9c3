import Support
import Testing
import VaultLifecycle

@Suite struct HostEnvironmentTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let expected: HostEnvironment
        var variables: [String: String] = [:]
        var files: Set<String> = []
        var texts: [String: String] = [:]

        var testDescription: String { "\(expected) \(variables) \(files) \(texts)" }
    }

    static let places: [Place] = [
        Place(expected: .plain),
        Place(
            expected: .plain,
            texts: ["/proc/version": "Linux version 6.1 (Debian)", "/proc/1/cgroup": "0::/"]
        ),
        Place(expected: .ssh, variables: ["SSH_CONNECTION": "::1 5 ::1 22"]),
        Place(expected: .ssh, variables: ["SSH_TTY": "/dev/pts/1"]),
        Place(expected: .ssh, variables: ["SSH_CONNECTION": "x", "WSL_DISTRO_NAME": "Debian"]),
        Place(expected: .container, variables: ["container": "podman"]),
        Place(expected: .container, files: ["/.dockerenv"]),
        Place(expected: .container, files: ["/run/.containerenv"]),
        Place(expected: .container, texts: ["/proc/1/cgroup": "12:pids:/docker/3f2a\n"]),
        Place(expected: .container, texts: ["/proc/1/cgroup": "1:name=systemd:/kubepods/pod1\n"]),
        Place(expected: .wsl, variables: ["WSL_DISTRO_NAME": "Debian"]),
        Place(expected: .wsl, texts: ["/proc/version": "Linux version 5.15.90.1-microsoft-standard-WSL2"]),
    ]

    @Test(arguments: places) func `a place is known by what it says of itself`(_ place: Place) {
        let found = HostEnvironment.of(
            variables: { place.variables[$0] },
            exists: { place.files.contains($0) },
            text: { place.texts[$0] }
        )
        #expect(found == place.expected)
    }
}
