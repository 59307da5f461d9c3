import Presentation
import Testing

@testable import Setup

@Suite struct BackupUnitsTests {
    private func units(
        _ vault: String,
        program: String = "/usr/bin/hsip",
        folder: String = "/media/stick/my copies",
        _ interval: BackupUnits.Interval = .daily
    ) throws -> BackupUnits {
        try BackupUnits(
            vault: vault,
            program: program,
            folder: folder,
            interval: interval,
            newest: 7,
            monthly: 12
        )
    }

    @Test func `the service makes one backup and asks no one`() throws {
        let texts = try units("vault").texts
        #expect(texts.map(\.name) == ["hsip-backup.service", "hsip-backup.timer"])
        #expect(
            texts[0].text.contains(
                "\nExecStart=\"/usr/bin/hsip\" --vault vault vault backup --to \"/media/stick/my copies\" "
                    + "--keep 7 --monthly 12 --unattended\n"
            )
        )
        #expect(texts[0].text.contains("\nNoNewPrivileges=yes\n"))
        #expect(texts[0].text.contains("\nRestrictAddressFamilies=AF_UNIX\n"))
    }

    @Test(arguments: [(BackupUnits.Interval.hourly, "hourly"), (.daily, "daily")])
    func `a time that was missed is made up for`(interval: (BackupUnits.Interval, String)) throws {
        let timer = try units("vault", interval.0).texts[1].text
        #expect(
            timer.contains("\nOnCalendar=\(interval.1)\nPersistent=yes\nRandomizedDelaySec=15m\n")
        )
        #expect(timer.contains("\nWantedBy=timers.target\n"))
    }

    @Test func `another vault has units of its own`() throws {
        let units = try units("work")
        #expect(units.timer == "hsip-backup-work.timer")
        #expect(units.texts[0].text.contains(" --vault work vault backup "))
    }

    @Test func `a vault elsewhere is found by the variables that say so`() throws {
        func service(_ variables: [String: String]) throws -> String {
            try BackupUnits(
                vault: "vault",
                program: "/usr/bin/hsip",
                folder: "/media/stick",
                environment: { variables[$0] },
                interval: .daily,
                newest: 7,
                monthly: 12
            ).texts[0].text
        }
        #expect(try !service(["HOME": "/home/a", "XDG_DATA_HOME": "data"]).contains("Environment"))
        let text = try service([
            "XDG_DATA_HOME": "/data of a", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s",
        ])
        #expect(
            text.contains(
                "\nEnvironment=\"XDG_DATA_HOME=/data of a\"\nEnvironment=\"XDG_STATE_HOME=/s\"\n"
                    + "Environment=\"XDG_CONFIG_HOME=/c\"\nExecStart="
            )
        )
        for odd in ["/a%b", "/a\"b", "/a\nb"] {
            #expect(throws: Failure.self) { try service(["XDG_STATE_HOME": odd]) }
        }
    }

    @Test(arguments: ["a b", "-v", "ä", "a%b", "a\"b", "/path"])
    func `a name that says more is refused`(vault: String) {
        #expect(throws: Failure.self) { try units(vault) }
    }

    @Test(arguments: ["/a\"b", "/a%b", "/a\\b", "/a$b", "/a\nb", "/a\u{7f}"])
    func `a program or folder that says more is refused`(path: String) {
        #expect(throws: Failure.self) { try units("vault", program: path) }
        #expect(throws: Failure.self) { try units("vault", folder: path) }
    }
}
