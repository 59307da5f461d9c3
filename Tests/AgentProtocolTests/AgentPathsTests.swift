import AgentProtocol
import Testing

@Suite struct AgentPathsTests {
    @Test func `the usual vault's sockets lie in the runtime folder`() throws {
        let paths = try AgentPaths(vault: "vault", environment: ["XDG_RUNTIME_DIR": "/run/user/7/"])
        #expect(paths.control == "/run/user/7/hsip/control.sock")
        #expect(paths.ssh == "/run/user/7/hsip/ssh.sock")
        #expect(paths.madeFolders == ["/run/user/7/hsip"])
    }

    @Test func `another vault's sockets lie one folder deeper`() throws {
        let paths = try AgentPaths(vault: "work", environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        #expect(paths.control == "/run/user/7/hsip/work/control.sock")
        #expect(paths.madeFolders == ["/run/user/7/hsip", "/run/user/7/hsip/work"])
        let file = try AgentPaths(vault: "/a/b.hsipvault", environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        let other = try AgentPaths(vault: "/a/c.hsipvault", environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        #expect(file.folder.hasPrefix("/run/user/7/hsip/path-") && file.folder != other.folder)
    }

    @Test(arguments: [nil, "", "relative"]) func `without a runtime folder they lie with the state`(
        _ runtime: String?
    ) throws {
        var environment = ["HOME": "/home/ada"]
        environment["XDG_RUNTIME_DIR"] = runtime
        #expect(
            try AgentPaths(vault: "vault", environment: environment).folder
                == "/home/ada/.local/state/hsip/run"
        )
        environment["XDG_STATE_HOME"] = "/state"
        let paths = try AgentPaths(vault: "vault", environment: environment)
        #expect(paths.madeFolders == ["/state/hsip", "/state/hsip/run"])
    }

    @Test func `no folder, too long a path and a name that is none are errors`() {
        #expect(throws: AgentPathsError.noFolder) { try AgentPaths(vault: "vault", environment: [:]) }
        let long = ["XDG_RUNTIME_DIR": "/" + String(repeating: "x", count: 90)]
        #expect(throws: AgentPathsError.tooLong(bytes: 109)) {
            try AgentPaths(vault: "vault", environment: long)
        }
        for name in ["", ".", "..", "a/b", "control.sock", "ssh.sock"] {
            #expect(throws: AgentPathsError.badName) {
                try AgentPaths(vault: name, environment: ["XDG_RUNTIME_DIR": "/run"])
            }
        }
    }

    @Test func `the longest path that the kernel takes is taken`() throws {
        let folder = "/" + String(repeating: "x", count: 107 - "/hsip/control.sock".utf8.count - 1)
        let paths = try AgentPaths(vault: "vault", environment: ["XDG_RUNTIME_DIR": folder])
        #expect(paths.control.utf8.count == 107)
    }
}
