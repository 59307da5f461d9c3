import AgentProtocol
import Presentation
import Testing

@testable import Setup

@Suite struct ServiceUnitsTests {
    private func units(_ vault: String, _ program: String = "/usr/libexec/hsip-agent") throws -> ServiceUnits
    {
        try ServiceUnits(
            vault: vault,
            program: program,
            paths: try AgentPaths(vault: vault, environment: ["XDG_RUNTIME_DIR": "/run/user/1000"]),
            runtime: "/run/user/1000"
        )
    }

    @Test func `the sockets are where the agent's clients look, by the names that it looks for`() throws {
        let texts = try units("vault").texts
        #expect(
            texts.map(\.name) == ["hsip-agent.service", "hsip-agent-control.socket", "hsip-agent-ssh.socket"]
        )
        #expect(texts[1].text.contains("ListenStream=%t/hsip/control.sock\nFileDescriptorName=control\n"))
        #expect(texts[2].text.contains("ListenStream=%t/hsip/ssh.sock\nFileDescriptorName=ssh\n"))
        #expect(texts[0].text.contains("ExecStart=\"/usr/libexec/hsip-agent\" --vault vault\n"))
    }

    @Test func `another vault has units of its own`() throws {
        let texts = try units("work").texts
        #expect(texts[0].name == "hsip-agent-work.service")
        #expect(texts[1].text.contains("ListenStream=%t/hsip/work/control.sock\n"))
        #expect(texts[1].text.contains("Service=hsip-agent-work.service\n"))
    }

    @Test func `nothing hides the programs that ask from the agent`() throws {
        let service = try units("vault").texts[0].text
        for word in ["ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateUsers", "RootDirectory"] {
            #expect(!service.contains(word))
        }
    }

    @Test func `systemd filters calls, but not the one by which the agent filters its own`() throws {
        let service = try units("vault").texts[0].text
        #expect(service.contains("\nSystemCallFilter=@system-service seccomp\nSystemCallErrorNumber=EPERM\n"))
        #expect(service.contains("\nRestrictNamespaces=yes\n"))
    }

    @Test(arguments: ["a b", "ä", "a%b", "a\"b"]) func `a name that says more is refused`(vault: String) {
        #expect(throws: Failure.self) { try units(vault) }
    }

    @Test(arguments: ["/a\"b", "/a%b", "/a\\b", "/a\nb"])
    func `a program that says more is refused`(program: String) {
        #expect(throws: Failure.self) { try units("vault", program) }
    }
}
