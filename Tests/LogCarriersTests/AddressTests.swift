import LogCarriers
import Testing

struct AddressTests {
    @Test(arguments: [
        "ssh://git@home.example/vault.git", "ssh://home.example:2222/~/vault.git",
        "https://example.org/a/b.git",
        "https://me@example.org:8443/b", "file:///srv/vault.git", "git@home.example:vault.git",
        "git@[::1]:a/b", "ssh://[fe80::1]:22/x",
    ])
    func `an address that git can use is taken`(text: String) throws {
        #expect(try CarrierAddress(.git, text).text == text)
    }

    @Test(arguments: [
        "", "ext::sh -c id", "ext::ssh://a/b", "-oProxyCommand=id", "ssh://-oProxyCommand=id/x",
        "ssh://a@-b/x",
        "ssh://-a@b/x", "git@-host:x", "-git@host:x", "git@host:-x", "git@host::x", "git@host:", "http://a/b",
        "git://a/b", "ssh://a", "ssh:///b", "https://a:pw@b/c", "https://a/b c", "https://a/b\nc",
        "https://a/$(id)",
        "https://a/b;c", "file://host/a", "file:///", "file://", "/srv/vault.git", "vault.git",
        "host:vault.git",
        "ssh://a:0/b", "ssh://a:022/b", "ssh://a:99999/b", "ssh://a%2f/b", "fd::17", "transport::https://a/b",
        "https://a/é", "user@host:a b", "ssh://[::1/x",
    ])
    func `an address that git could take for something else is refused`(text: String) {
        #expect(throws: CarrierError.badAddress) { try CarrierAddress(.git, text) }
    }

    @Test(arguments: [
        "https://a:2379/hsip", "https://a:2379,https://b:2379/hsip/fleet", "https://a,b,[::1]:4/x.y_z-1",
    ])
    func `an address of etcd is a list of servers and a prefix`(text: String) throws {
        #expect(try CarrierAddress(.etcd, text).text == text)
    }

    @Test(arguments: [
        "http://a:2379/x", "https://a:2379", "https://a:2379/", "https://a/x/", "https://a//x",
        "https://a/../x",
        "https://a,http://b/x", "https://a/x,b/y", "https://,a/x", "https://u@a/x", "https://a/x y",
        "https://a/x?y",
        "a:2379/x", "https://-a/x", "https://a:b/x",
    ])
    func `an address of etcd with anything else is refused`(text: String) {
        #expect(throws: CarrierError.badAddress) { try CarrierAddress(.etcd, text) }
    }

    @Test(arguments: [
        "", "/", "a/b", "/a/../b", "/a/./b", "/a//b", "/a/", "/a\nb", "~/a", "/\u{301}a/../b",
        "/a/\u{301}/../b",
    ])
    func `a folder is an absolute path by the letter`(text: String) throws {
        #expect(throws: CarrierError.badAddress) { try CarrierAddress(.folder, text) }
        #expect(try CarrierAddress(.folder, "/media/me/My stick").kind == .folder)
    }

    @Test(arguments: CarrierAddress.Kind.allCases)
    func `an address has at most 256 bytes`(kind: CarrierAddress.Kind) throws {
        let head = [CarrierAddress.Kind.git: "file:///", .etcd: "https://a/", .folder: "/"][kind] ?? ""
        let longest = head + String(repeating: "x", count: 256 - head.utf8.count)
        #expect(try CarrierAddress(kind, longest).text == longest)
        #expect(throws: CarrierError.badAddress) { try CarrierAddress(kind, longest + "x") }
    }
}
