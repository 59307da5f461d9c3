import Secrets
import Testing

/// Addresses, as far as a credential is found by them.
struct CredentialURLTests {
    @Test(arguments: [
        ("https://github.com", "https://github.com"),
        ("HTTPS://GitHub.com:443/", "https://github.com"),
        ("https://me:pa55@Example.org:8443/a/b/?token=x#y", "https://example.org:8443/a/b"),
        ("example.org", "example.org"),
        ("registry.example.org:5000", "registry.example.org:5000"),
        ("https://index.docker.io/v1/", "https://index.docker.io/v1"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("ssh://git@host:22/r.git", "ssh://host/r.git"),
        ("https://a@b@host/x", "https://host/x"),
    ])
    func `what is shown is where it leads, and no more`(text: String, shown: String) throws {
        let url = try #require(CredentialURL(text))
        #expect(url.shown == shown)
        #expect(CredentialURL(url.shown)?.shown == shown)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "a b", "https://h:x/", "://h", "h\u{0}", "https://[::1/x", "ht tp://x",
        "https://git\u{212A}raken.com/", "https://g\u{130}thub.com",
    ])
    func `what has no host is no address`(text: String) {
        #expect(CredentialURL(text) == nil)
    }

    @Test func `a credential serves its host, and its path and what lies below`() throws {
        func score(_ kept: String, _ asked: String) throws -> Int? {
            try #require(CredentialURL(kept)).score(for: try #require(CredentialURL(asked)))
        }
        #expect(try score("https://github.com", "https://github.com/a/b.git") == 0)
        #expect(try score("https://github.com/a", "https://github.com/a/b.git") == 1)
        #expect(try score("github.com/a/b.git", "https://github.com/a/b.git") == 7)
        #expect(try score("https://github.com/a", "https://github.com/ab") == nil)
        #expect(try score("https://github.com", "http://github.com") == nil)
        #expect(try score("https://github.com", "https://evil.github.com") == nil)
        #expect(try score("https://github.com:8443", "https://github.com") == nil)
        #expect(CredentialURL("https://me@h/x")?.user == "me")
    }

    @Test func `an address is put together from parts`() {
        #expect(CredentialURL(scheme: "https", host: "h:443", path: "/a/b")?.shown == "https://h/a/b")
        #expect(CredentialURL(scheme: "https", host: "h/../x") == nil)
        #expect(CredentialURL(scheme: "https", host: "h", path: "a@b?c", user: "me")?.user == "me")
    }

    @Test(arguments: [
        "a/../b", "a/x/..", "a/./../b", "a//../b", "a/%2E%2e/b", "a\\..\\b", "a/.", "a/..%2Fb/../c",
    ])
    func `a path that leaves the folder it begins with is not in that folder`(path: String) throws {
        let kept = try #require(CredentialURL("https://git.example.org/a"))
        #expect(
            kept.score(for: try #require(CredentialURL(scheme: "https", host: "git.example.org", path: path)))
                == nil
        )
        let whole = try #require(CredentialURL("https://git.example.org"))
        #expect(
            whole.score(
                for: try #require(CredentialURL(scheme: "https", host: "git.example.org", path: path))
            ) == 0
        )
    }

    @Test func `names with dots in them are names`() throws {
        let kept = try #require(CredentialURL("https://h/a"))
        for path in ["a/..b", "a/...", "a/b.git", "a/.git"] {
            #expect(kept.score(for: try #require(CredentialURL(scheme: "https", host: "h", path: path))) == 1)
        }
    }

    @Test(arguments: ["https://good.example/x", "https:", "", "a b", "https://good.example#"])
    func `a scheme says nothing about the host`(scheme: String) {
        #expect(CredentialURL(scheme: scheme, host: "evil.example") == nil)
    }

    @Test(arguments: [
        "evil.example\r", "a\nhost=b", "a\u{0}b", "good@evil", "a/b", "a?b", "a#b", "", " ", "a b", ":80",
    ])
    func `a host with anything else in it is none`(host: String) {
        #expect(CredentialURL(scheme: "https", host: host) == nil)
    }
}
