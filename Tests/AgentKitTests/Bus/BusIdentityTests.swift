import AgentProtocol
import Glibc
import Testing
import VaultPolicy

@testable import AgentKit

@Suite struct BusIdentityTests {
    private let info = Array("[Instance]\nname=org.evil.App\n[Application]\nname=org.signal.Signal\n".utf8)

    private static let slice = ["user.slice", "user-1000.slice", "user@1000.service", "app.slice"]

    private func flatpak(_ info: [UInt8], _ group: [String]) -> String? {
        BusIdentity.flatpak(info, group, uid: 1_000)?.text
    }

    @Test func `a Flatpak is named where its description and its scope agree`() {
        let scope = "app-flatpak-org.signal.Signal-4711.scope"
        #expect(flatpak(info, Self.slice + [scope]) == "flatpak:org.signal.Signal")
        let hyphen = Array("[Application]\nname=org.a.B-c\n".utf8)
        #expect(flatpak(hyphen, Self.slice + ["app-flatpak-org.a.B\\x2dc-7.scope"]) == "flatpak:org.a.B-c")
    }

    @Test(arguments: [
        [], ["app-flatpak-org.signal.Signal-4711.scope"],
        slice + ["app-flatpak-org.signal.Signal-4711.service"],
        slice + ["app-flatpak-org.other.App-4711.scope"], slice + ["app-flatpak-org.signal.SignalX-1.scope"],
        slice + ["app-flatpak-org.signal.Signal-.scope"], slice + ["app-flatpak-org.signal.Signal-0.scope"],
        slice + ["app-flatpak-org.signal.Signal-+1.scope"],
        slice + ["app-flatpak-org.signal.Signal-01.scope"],
        slice + ["app-flatpak-org.signal.Signal-x-1.scope"], slice + ["app-flatpak-org.signal.Signal.scope"],
        slice + ["app-flatpak-org.signal.Signal-99999999999.scope"],
        slice + ["_app-flatpak-org.signal.Signal-1.scope"],
        // Only whole, at its own place, and of this user.
        slice + ["app-flatpak-org.signal.Signal-1.scope", "child"],
        slice + ["app-x.slice", "app-flatpak-org.signal.Signal-1.scope"],
        Array(slice.dropLast()) + ["app-flatpak-org.signal.Signal-1.scope"],
        ["other"] + slice + ["app-flatpak-org.signal.Signal-1.scope"],
        ["user.slice", "user-1001.slice", "user@1001.service", "app.slice"]
            + ["app-flatpak-org.signal.Signal-1.scope"],
    ])
    func `a Flatpak whose scope is another one is unknown`(group: [String]) {
        #expect(flatpak(info, group) == nil)
    }

    @Test func `a name with a hyphen is not the part before it`() {
        let short = Array("[Application]\nname=org.a.B\n".utf8)
        let long = Array("[Application]\nname=org.a.B-c\n".utf8)
        #expect(flatpak(short, Self.slice + ["app-flatpak-org.a.B-c-7.scope"]) == nil)
        #expect(flatpak(short, Self.slice + ["app-flatpak-org.a.B\\x2dc-7.scope"]) == nil)
        #expect(flatpak(long, Self.slice + ["app-flatpak-org.a.B-c-7.scope"]) == nil)
    }

    @Test(arguments: [
        "", "[Application]\n", "[Application]\nname=\n", "[Application]\nname=a/b\n", "name=a\n",
        "[Application]\nname=a\nname=b\n",
    ])
    func `a description without one name is none`(text: String) {
        for scope in ["app-flatpak-a-1.scope", "app-flatpak--1.scope"] {
            #expect(flatpak(Array(text.utf8), Self.slice + [scope]) == nil)
        }
    }

    @Test func `a snap is named where its label and its scope agree`() {
        func snap(_ label: String, _ group: [String]) -> String? {
            BusIdentity.snap(label, group, uid: 1_000)?.text
        }
        let scope = "snap.firefox.firefox-1.scope"
        #expect(snap("snap.firefox.firefox", Self.slice + [scope]) == "snap:firefox")
        #expect(snap("snap.firefox.firefox", Self.slice + ["snap.other.other-1.scope"]) == nil)
        #expect(snap("snap.firefox.firefox", [scope]) == nil)
        #expect(snap("snap.firefox.firefox", Self.slice + [scope, "snap.other.other-1.scope"]) == nil)
        #expect(snap("snap.firefox", Self.slice + [scope]) == nil)
    }

    @Test func `a control group is read from systemd's own hierarchy, whole or not at all`() {
        func group(_ text: String) -> [String] { ProcessFacts.group(in: Array(text.utf8)) }
        #expect(group("0::/user.slice/_a.scope\n") == ["user.slice", "_a.scope"])
        #expect(group("5:memory:/x\n1:name=systemd:/a:b/c.scope\n0::/d\n") == ["a:b", "c.scope"])
        #expect(group("5:memory:/x\n") == [])
        #expect(ProcessFacts.group(in: Array("0::/a/".utf8) + [0xFF] + Array("/b".utf8)) == [])
    }

    @Test func `this process is the program that it runs`() throws {
        let behalf = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        let caller = try #require(BusCaller(behalf))
        let program = caller.requester
        #expect(program.bus?.identity?.text == ProcessFacts.program(of: getpid()).path)
        #expect(program.bus?.start == behalf.start)
        #expect(!program.isPerson)
        #expect(caller.isSame)
    }

    @Test func `a process that began at another time is not the one that was seen`() throws {
        let mine = try #require(Behalf(bus: ":1.1", process: getpid(), label: nil))
        #expect(BusCaller(Behalf(bus: ":1.1", pid: mine.pid, start: mine.start + 1)) == nil)
    }
}
