import FileStore
import Testing

/// Which backups stay, without any file.
@Suite struct RetentionTests {
    private static let day: Int64 = 86_400
    /// 2026-01-01T03:00:00Z.
    private static let start: Int64 = 1_767_236_400

    private func entry(_ time: Int64, _ generation: UInt64, tag: UInt64? = nil) -> Retention.Entry {
        Retention.Entry(
            name: BackupName(label: "vault", time: time, epoch: 1, generation: generation),
            tag: Self.tag(tag ?? generation),
            generation: generation
        )
    }

    private static func tag(_ number: UInt64) -> [UInt8] {
        (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 0 }
    }

    private func month(_ entry: Retention.Entry) -> String {
        // vault-20260101T030000Z-1.1.hsipbackup
        String(entry.name.text.dropFirst("vault-".count).prefix(6))
    }

    @Test(arguments: [(7, 12), (1, 0), (1, 12), (30, 2)])
    func `through a year of days the newest stay, and the last of each month`(keep: (Int, Int)) throws {
        let retention = try #require(Retention(newest: keep.0, monthly: keep.1))
        var folder: [Retention.Entry] = []
        var all: [Retention.Entry] = []
        var months: [(name: String, last: Retention.Entry)] = []
        for day in 0..<Int64(400) {
            let fresh = entry(Self.start + day * Self.day, UInt64(day) + 5)
            all.append(fresh)
            folder.append(fresh)
            let surplus = retention.surplus(of: folder, besides: fresh.tag)
            folder.removeAll(where: surplus.contains)
            #expect(folder.suffix(keep.0) == all.suffix(keep.0))
            #expect(folder.count <= keep.0 + keep.1)
            let month = month(fresh)
            if months.last?.name != month { months.append((month, fresh)) }
            months[months.count - 1].last = fresh
            for (month, last) in months.suffix(keep.1) {
                #expect(folder.contains(last), "\(month) on day \(day)")
            }
        }
        // 400 days reach into the 14th month.
        #expect(Set(folder.map(month)).count >= keep.1)
    }

    @Test func `the present state stays though another copy bears a higher number`() throws {
        let retention = try #require(Retention(newest: 1, monthly: 0))
        let (present, forked) = (entry(Self.start, 5), entry(Self.start, 900))
        #expect(retention.surplus(of: [present, forked], besides: present.tag) == [forked])
        #expect(retention.surplus(of: [present], besides: present.tag) == [])
    }

    @Test func `copies of one state count once, and stay or go together`() throws {
        let retention = try #require(Retention(newest: 2, monthly: 0))
        let twins = (0..<9).map { entry(Self.start + Int64($0), 8, tag: 8) }
        let (older, oldest) = (entry(Self.start, 7), entry(Self.start, 6))
        #expect(retention.surplus(of: twins + [older, oldest], besides: Self.tag(8)) == [oldest])
        let newer = twins + [entry(Self.start, 9)]
        #expect(retention.surplus(of: newer, besides: Self.tag(10)) == twins.reversed())
    }

    @Test func `a clock that jumps loses no copy of another month`() throws {
        let retention = try #require(Retention(newest: 1, monthly: 3))
        let future = entry(4_000_000_000, 8)
        let early = entry(Self.start, 6)
        let entries = [early, entry(Self.start + 40 * Self.day, 7), future, entry(Self.start, 9)]
        let surplus = retention.surplus(of: entries, besides: Self.tag(9))
        #expect(surplus == [entries[0]])
    }

    @Test(arguments: [(0, 12), (-1, 0), (1_001, 0), (7, -1), (7, 1_001)])
    func `numbers outside of the limits are refused`(keep: (Int, Int)) {
        #expect(Retention(newest: keep.0, monthly: keep.1) == nil)
    }

    @Test func `a name comes back as it was written`() throws {
        for label in ["vault", "a-b", "2026-1.1", "Tresor \u{e4}", "vault-20260101T030000Z-1.1"] {
            let name = BackupName(label: label, time: Self.start, epoch: 3, generation: .max)
            #expect(BackupName(name.text) == name)
        }
        #expect(
            BackupName(label: "vault", time: Self.start, epoch: 1, generation: 126).text
                == "vault-20260101T030000Z-1.126.hsipbackup"
        )
    }

    @Test(arguments: [
        "", ".hsipbackup", "vault.hsipbackup", "vault-1.1.hsipbackup", "-20260101T030000Z-1.1.hsipbackup",
        "vault-20260101T030000Z-1.hsipbackup", "vault-20260101T030000Z-0.1.hsipbackup",
        "vault-20260101T030000Z-01.1.hsipbackup", "vault-20260101T030000Z-1.+1.hsipbackup",
        "vault-20260101T030000Z-1..1.hsipbackup", "vault-20260101T030000Z-1.1.1.hsipbackup",
        "vault-20260231T030000Z-1.1.hsipbackup", "vault-20260101t030000Z-1.1.hsipbackup",
        "vault-20260101T030000Z-1.18446744073709551616.hsipbackup",
        "vault-20260101T030000Z-4294967296.1.hsipbackup", "vault-20260101T030000Z-1.1.hsipbackup.new-abcdef",
        "vault-2026010\u{661}T030000Z-1.1.hsipbackup",
    ])
    func `another spelling is no name of ours`(text: String) {
        #expect(BackupName(text) == nil)
    }

    @Test func `a vault's name cannot lead out of the folder`() {
        #expect(BackupName.label(of: "vault") == "vault")
        #expect(BackupName.label(of: "/home/a/work.hsipvault") == "work")
        #expect(BackupName.label(of: "/") == "_")
        #expect(BackupName.label(of: "/a/.hsipvault") == "vault")
        #expect(BackupName.label(of: "/a/.b") == "vault.b")
        #expect(BackupName.label(of: "a\nb\u{7f}") == "a_b_")
        #expect(BackupName.label(of: String(repeating: "\u{e4}", count: 200)).utf8.count == 120)
    }
}
