import Testing

@testable import Setup

@Suite struct IncludeLineTests {
    private let line = IncludeLine(file: "/home/a/.config/hsip/ssh_config", home: "/home/a")

    @Test func `a file below the home folder is written with a tilde`() {
        #expect(line.text == "Include ~/.config/hsip/ssh_config")
        #expect(IncludeLine(file: "/etc/x y", home: "/home/a").text == "Include \"/etc/x y\"")
        #expect(IncludeLine(file: "/home/another/x", home: "/home/a").text == "Include /home/another/x")
    }

    @Test(arguments: ["relative", "/a*", "/a\nHost *", "/a\"b", "/a$b", "/50%", "/a#", "/[a]", "/a\\", "/a?"])
    func `a path that says more is refused`(path: String) {
        #expect(IncludeLine(file: path, home: "/home/a").text == nil)
    }

    static let configs = [
        "", "\n", "Host *\n    User a\n", "# mine\nHost *", "User a\r\n",
        "Include ~/.config/hsip/ssh_config\n",
    ]

    @Test(arguments: configs)
    func `what is put in is taken out again, byte for byte`(config: String) throws {
        let bytes = Array(config.utf8)
        let added = try #require(line.added(to: bytes))
        #expect(line.leads(added))
        #expect(line.removed(from: added) == bytes)
    }

    @Test func `a line that was changed or moved is not taken out`() throws {
        #expect(line.removed(from: Array("User a\nInclude ~/.config/hsip/ssh_config\n".utf8)) == nil)
        #expect(line.removed(from: Array("Include  ~/.config/hsip/ssh_config\n".utf8)) == nil)
        #expect(line.removed(from: Array("Include ~/.config/hsip/ssh_config".utf8)) == nil)
    }

    @Test(
        arguments: [
            "Include ~/.config/hsip/ssh_config\n", "# mine\n\n  include=\"/home/a/.config/hsip/ssh_config\"",
            "INCLUDE other ~/.config/hsip/ssh_config\nHost *\n",
            "\tInclude ../.config/hsip/ssh_config\n"
                .replacing("../", with: "/home/a/"),
        ]
    )
    func `the line counts however it is written`(config: String) {
        #expect(line.leads(Array(config.utf8)))
    }

    @Test(
        arguments: [
            "", "Host *\nInclude ~/.config/hsip/ssh_config\n", "# Include ~/.config/hsip/ssh_config\n",
            "User a\nInclude ~/.config/hsip/ssh_config\n", "Include ~/.config/hsip/ssh_config2\n",
            "Include ssh_config\n",
            "IncludeX ~/.config/hsip/ssh_config\n",
        ]
    )
    func `a line that is not the first, or another one, does not count`(config: String) {
        #expect(!line.leads(Array(config.utf8)))
    }

    @Test func `a text that ssh could not read is found out`() {
        #expect(IncludeLine.oddity(of: Array("Host *\r\n\tUser a\r\n".utf8)) == nil)
        #expect(IncludeLine.oddity(of: []) == nil)
        #expect(IncludeLine.oddity(of: Array("Host a\rUser b\n".utf8)) != nil)
        #expect(IncludeLine.oddity(of: [0xEF, 0xBB, 0xBF] + Array("Host *\n".utf8)) != nil)
        #expect(IncludeLine.oddity(of: [0xFF, 0xFE, 0x48, 0, 0x0A]) != nil)
    }
}
