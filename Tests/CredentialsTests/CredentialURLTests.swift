import Credentials
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
}
