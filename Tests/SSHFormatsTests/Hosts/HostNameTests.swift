import SSHFormats
import Testing

struct HostNameTests {
    @Test(
        arguments: [
            ("db1", 22, "db1"), ("DB1.Example.ORG", 22, "db1.example.org"), ("db1", 2222, "[db1]:2222"),
            ("::1", 22, "::1"), ("::1", 2022, "[::1]:2022"), ("fe80::1%eth0", 22, "fe80::1%eth0"),
            ("2001:DB8::1", 22, "2001:db8::1"), ("1:2:3:4:5:6:7:8", 22, "1:2:3:4:5:6:7:8"),
            ("::ffff:10.0.0.1", 22, "::ffff:10.0.0.1"), ("1::", 22, "1::"), ("::", 22, "::"),
            ("10.0.0.1", 65535, "[10.0.0.1]:65535"), ("a_b", 1, "[a_b]:1"), ("db1.", 22, "db1."),
        ] as [(String, Int, String)]
    )
    func `a host is looked up in lower case and with its port`(host: String, port: Int, lookup: String) throws
    {
        let name = try HostName(host: host, port: port)
        #expect(name.lookup == lookup)
        #expect(try HostName(lookup: lookup) == name)
    }

    @Test(
        arguments: [
            "", "-oProxyCommand=x", "a b", "a\tb", "a\nb", "a\0b", "a,b", "a*", "a?", "!a", "@a", "#a", "a|b",
            "a'",
            "a\"", "a\\", "`id`", "$(id)", "a;b", "a&b", "a<b", "a>b", "a{b}", "a(b)", "[a]", "a]", "a%h",
            "a%",
            "%h", "a/b", "a=b", "ä.org", "a\u{200B}b", "1:2", ":::", "1::2::3", "12345::",
            "1:2:3:4:5:6:7:8:9",
            "::1%", "::1%a b", "::g", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::256.0.0.1", "1.2.3.4::",
            "::1.2.3",
            "::1%eth0%eth1", "::0001.0.0.1", "K\u{212A}",
        ]
    )
    func `a name that could be read as something else is refused`(name: String) {
        #expect(throws: SSHFormatError.badHostName) { try HostName(host: name) }
        #expect(throws: SSHFormatError.badHostName) { try HostName(alias: name) }
    }

    @Test func `a name has at most 255 bytes`() throws {
        #expect(try HostName(host: String(repeating: "a", count: 255)).name.count == 255)
        #expect(throws: SSHFormatError.badHostName) {
            try HostName(host: String(repeating: "a", count: 256))
        }
    }

    @Test(arguments: [0, -1, 65536, Int.max, Int.min])
    func `a port is 1 to 65535`(port: Int) {
        #expect(throws: SSHFormatError.badPort) { try HostName(host: "db1", port: port) }
    }

    @Test(arguments: ["", "0", "-1", "+22", " 22", "22 ", "65536", "99999", "100000", "22a", "0x16", "٢٢"])
    func `a port is read from decimal digits only`(text: String) {
        #expect(throws: SSHFormatError.badPort) { try HostName.port(of: text) }
        #expect(throws: SSHFormatError.self) { try HostName(lookup: "[db1]:\(text)") }
    }

    @Test(arguments: [
        "[db1]", "[db1]22", "[db1", "[]:22", "[db1]]:22", "db1:22", "[[db1]]:22", "[db1]:22:22",
    ])
    func `a name with brackets has a port behind them`(text: String) {
        #expect(throws: SSHFormatError.self) { try HostName(lookup: text) }
    }

    @Test func `an alias is looked up alone, a port is left out once`() throws {
        let alias = try HostName(alias: "Bastion")
        #expect(alias.lookup == "bastion")
        #expect(alias.withoutPort == nil)
        #expect(try HostName(host: "db1", port: 2222).withoutPort == HostName(host: "db1"))
        #expect(try HostName(host: "db1").withoutPort == nil)
    }
}
