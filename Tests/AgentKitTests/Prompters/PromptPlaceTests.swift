import System
import Testing

@testable import AgentKit

struct PromptPlaceTests {
    @Test func `a display that is handed over comes whole, and goes whole`() {
        let place = PromptPlace(own: Environment(["WAYLAND_DISPLAY": "wayland-0", "LANG": "de_DE.UTF-8"]))
        place.adopt(["DISPLAY": ":3", "LANG": "fr_FR.UTF-8"])
        #expect(place["DISPLAY"] == ":3")
        #expect(place["WAYLAND_DISPLAY"] == nil)
        #expect(place["LANG"] == "fr_FR.UTF-8")
        place.forget()
        #expect(place["DISPLAY"] == nil)
        #expect(place["WAYLAND_DISPLAY"] == "wayland-0")
    }

    @Test(
        arguments: [
            ["DISPLAY": "evil.example:0"], ["DISPLAY": ":0\nX=1"], ["WAYLAND_DISPLAY": "../evil"],
            ["LANG": "C"],
            ["DISPLAY": String(repeating: ":", count: 300)], ["PATH": "/evil"], [:],
        ]
    )
    func `a display of an unlikely form is none`(variables: [String: String]) {
        let place = PromptPlace(own: Environment(["DISPLAY": ":7"]))
        place.adopt(variables)
        #expect(place["DISPLAY"] == ":7")
        #expect(place["PATH"] == nil)
    }

    @Test func `a program is never handed over`() {
        let place = PromptPlace(own: Environment([:]))
        place.adopt(["DISPLAY": ":3", "SSH_ASKPASS": "/evil", "PATH": "/evil", "LD_PRELOAD": "/evil"])
        #expect(place.setting("SSH_ASKPASS") == nil)
        #expect(!place.variables().contains { $0.contains("/evil") })
    }
}
