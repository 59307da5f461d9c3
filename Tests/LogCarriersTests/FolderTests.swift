import Glibc
import LogCarriers
import System
import Testing

extension CarrierTests {
    /// What a folder can be besides a log.
    struct FolderTests {
        private let place: FolderPlace
        private let one: any LogCarrier
        private var folder: String { "\(place.root)/\(logName)" }

        init() throws {
            place = try FolderPlace()
            one = try place.carrier(1)
            #expect(try one.create((1...3).map { entry(1, $0) }, at: 1) == .created)
        }

        @Test func `a medium that goes away is unreachable, and back again when it is there`() throws {
            #expect(unsafe rename(place.root, place.root + "-away") == 0)
            #expect(throws: CarrierError.unreachable) { try one.range() }
            #expect(throws: CarrierError.unreachable) { try one.create([entry(1, 4)], at: 4) }
            #expect(unsafe access(place.root, F_OK) != 0)
            #expect(unsafe rename(place.root + "-away", place.root) == 0)
            #expect(try one.create([entry(1, 4)], at: 4) == .created)
        }

        @Test func `a log whose folder is gone is empty`() throws {
            #expect(unsafe rename(folder, folder + "-away") == 0)
            #expect(try one.range() == .empty)
        }

        @Test(arguments: [".stfolder", ".dropbox", ".sync_0a1b.db", "._sync_0a1b.db"], [true, false])
        func `a folder that a program copies between machines is refused`(mark: String, isAbove: Bool) throws
        {
            let inner = try place.scratch.folder("stick/inner")
            _ = try place.scratch.write(isAbove ? mark : "stick/inner/\(mark)", "")
            let address = try CarrierAddress(.folder, inner)
            #expect(throws: CarrierError.synchronized) { try FolderCarrier(address, logID: logID) }
            let home = CarrierHome(mirror: "/none", runner: HelperRunner(environment: Environment([:])))
            #expect(throws: CarrierError.synchronized) { try address.logs(home) }
        }

        @Test func `a link into a folder that a program copies is refused`() throws {
            _ = try place.scratch.folder("copied")
            _ = try place.scratch.folder("copied/inner")
            _ = try place.scratch.write("copied/.stfolder", "")
            let link = "\(place.root)/link"
            #expect(unsafe symlink("\(place.scratch.path)/copied/inner", link) == 0)
            let address = try CarrierAddress(.folder, link)
            #expect(throws: CarrierError.synchronized) { try FolderCarrier(address, logID: logID) }
        }

        @Test func `a home that has the settings of Dropbox may have a log`() throws {
            _ = try place.scratch.folder(".dropbox")
            #expect(try place.carrier(2).range() == LogRange(oldest: 1, newest: 3))
        }

        @Test func `a folder names the logs that it has`() throws {
            _ = try place.scratch.folder("stick/hsip-none")
            let address = try CarrierAddress(.folder, place.root)
            let home = CarrierHome(mirror: "/none", runner: HelperRunner(environment: Environment([:])))
            #expect(try address.logs(home) == [logID])
            let away = try CarrierAddress(.folder, "\(place.root)-away")
            #expect(throws: CarrierError.unreachable) { try away.logs(home) }
        }

        @Test func `a link, a folder and an empty file are no entries`() throws {
            let path = "\(folder)/0000000000000004"
            #expect(unsafe symlink("\(folder)/0000000000000003", path) == 0)
            let wanted = CarrierError.damaged(.foreign("0000000000000004"))
            #expect(throws: wanted) { try one.read(from: 4, bytes: 1_000) }
            #expect(unsafe unlink(path) == 0)
            _ = try place.scratch.folder("stick/\(logName)/0000000000000004")
            #expect(throws: wanted) { try one.read(from: 4, bytes: 1_000) }
            #expect(unsafe rmdir(path) == 0)
            _ = try place.scratch.write("stick/\(logName)/0000000000000004", "")
            #expect(throws: wanted) { try one.read(from: 4, bytes: 1_000) }
        }

        @Test func `a name that is no place makes it no log, and an unfinished file does not count`() throws {
            _ = try place.scratch.write("stick/\(logName)/.new-1", "half")
            #expect(try one.range() == LogRange(oldest: 1, newest: 3))
            _ = try place.scratch.write("stick/\(logName)/notes.txt", "x")
            #expect(throws: CarrierError.damaged(.foreign("notes.txt"))) { try one.range() }
        }

        @Test func `a file above the limit is not read`() throws {
            _ = try place.scratch.write(
                "stick/\(logName)/0000000000000004",
                String(repeating: "x", count: CarrierLimits.entry + 1)
            )
            #expect(throws: CarrierError.tooLarge) { try one.read(from: 4, bytes: 1_000) }
            #expect(try one.read(from: 2, bytes: 220).entries == [entry(1, 2)])
        }

        @Test func `a trim removes what was left unfinished more than a day ago`() throws {
            let old = try place.scratch.write("stick/\(logName)/.new-1", "half")
            let new = try place.scratch.write("stick/\(logName)/.new-2", "half")
            try tool(["touch", "-d", "2 days ago", old])
            #expect(try one.trim(below: 2) == .done)
            #expect(unsafe access(old, F_OK) != 0)
            #expect(unsafe access(new, F_OK) == 0)
        }

        @Test func `nothing but the entries is left behind`() throws {
            #expect(try one.create([entry(2, 1)], at: 1) == .taken)
            let names = try tool(["ls", "-A", folder]).split(separator: "\n")
            #expect(names == (1...3).map { "000000000000000\($0)" })
        }
    }
}
