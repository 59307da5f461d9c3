import Presentation
import Testing
import Text

struct TimesTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_225_600, "2026-01-01T00:00:00Z"),
            (1_795_370_640, "2026-11-22T18:04:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]
    )
    func `a moment is written and read back`(seconds: Int64, text: String) {
        #expect(Times.rfc3339(seconds) == text)
        #expect(Times.parse(text) == seconds)
    }

    @Test func `every day of four centuries is written and read back`() {
        for day in stride(from: Int64(-62_135_596_800), to: 13_000_000_000, by: 86_400 * 13) {
            #expect(Times.parse(Times.rfc3339(day)) == day)
        }
    }

    @Test(
        arguments: [
            ("2026-11-22t18:04:00z", 1_795_370_640),
            ("2026-11-22T19:04:00+01:00", 1_795_370_640),
            ("2026-11-22T12:34:00.999-05:30", 1_795_370_640),
        ] as [(String, Int64)]
    )
    func `offsets and fractions are understood`(text: String, seconds: Int64) {
        #expect(Times.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "2026-11-22", "2026-11-22T18:04:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-11-22T24:00:00Z", "2026-11-22T18:04:60Z", "2026-11-22T18:04:00.Z", "2026-11-22T18:04:00+1:00",
        "2026-11-22T18:04:00Zx", "2026-11-22 18:04:00Z", "٢٠٢٦-11-22T18:04:00Z", "+026-11-22T18:04:00Z",
        "2026-11-22T18:04:00+24:00",
    ])
    func `anything else is no time`(text: String) {
        #expect(Times.parse(text) == nil)
    }

    @Test(
        arguments: [
            (0, "now"), (59, "now"), (-59, "now"), (60, "in 1 min"), (-240, "4 min ago"),
            (3_599, "in 59 min"),
            (3_600, "in 1 hour"), (64_800, "in 18 hours"), (86_400, "in 1 day"), (-345_600, "4 days ago"),
            (1_209_599, "in 13 days"),
        ] as [(Int64, String)]
    )
    func `near times are distances`(distance: Int64, text: String) {
        #expect(Times.relative(1_795_370_640 + distance, now: 1_795_370_640) == text)
    }

    @Test func `far times are dates`() {
        #expect(Times.relative(1_772_452_800, now: 1_795_370_640) == Times.date(1_772_452_800))
        #expect(Times.date(1_772_452_800) == "2 Mar 2026")
        #expect(Times.relative(Int64.max, now: -1).isEmpty == false)
    }

    @Test func `a moment is named by its day`() {
        let noon: Int64 = 1_795_348_800
        #expect(Times.moment(noon, now: noon).hasPrefix("today "))
        #expect(Times.moment(noon + 86_400, now: noon).hasPrefix("tomorrow "))
        #expect(Times.moment(noon - 86_400, now: noon).hasPrefix("yesterday "))
        #expect(Times.moment(noon + 864_000, now: noon).hasPrefix("2 Dec 2026 "))
    }

    @Test(
        arguments: [
            ("90s", 90), ("15m", 900), ("168h", 604_800), ("7d", 604_800), ("2w", 1_209_600),
            ("1h30m", 5_400), ("0s", 0),
        ] as [(String, Int64)]
    )
    func `durations are read`(text: String, seconds: Int64) {
        #expect(Durations.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "7", "d", "7 d", "7x", "-7d", "7.5d", "7d3", "99999999999999999999d", "9223372036854775807w",
        "٧d",
    ])
    func `a number without a unit is no duration`(text: String) {
        #expect(Durations.parse(text) == nil)
    }
}
