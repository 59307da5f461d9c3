import AgentProtocol
import Glibc
import Testing
import VaultPolicy

@testable import AgentKit

@Suite struct BusIdentityTests {
    private let info = Array("[Instance]\nname=org.evil.App\n[Application]\nname=org.signal.Signal\n".utf8)

    @Test func `a Flatpak is named where its description and its unit agree`() {
        let units = ["user@1000.service", "app-flatpak-org.signal.Signal-4711.scope"]
        #expect(BusIdentity.flatpak(info, units)?.text == "flatpak:org.signal.Signal")
    }

    @Test(arguments: [
        [], ["app-flatpak-org.signal.Signal-4711.service"], ["app-flatpak-org.other.App-4711.scope"],
        ["app-flatpak-org.signal.SignalX-1.scope"],
    ])
    func `a Flatpak whose unit is another one is unknown`(units: [String]) {
        #expect(BusIdentity.flatpak(info, units) == nil)
    }

    @Test(arguments: [
        "", "[Application]\n", "[Application]\nname=\n", "[Application]\nname=a/b\n", "name=a\n",
        "[Application]\nname=a\nname=b\n",
    ])
    func `a description without one name is none`(text: String) {
        #expect(
            BusIdentity.flatpak(Array(text.utf8), ["app-flatpak-a-1.scope", "app-flatpak--1.scope"]) == nil
        )
    }

    @Test func `a snap is named where its label and its unit agree`() {
        #expect(
            BusIdentity.snap("snap.firefox.firefox", ["snap.firefox.firefox-1.scope"])?.text == "snap:firefox"
        )
        #expect(BusIdentity.snap("snap.firefox.firefox", ["snap.other.other-1.scope"]) == nil)
        #expect(BusIdentity.snap("snap.firefox", ["snap.firefox.firefox-1.scope"]) == nil)
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
