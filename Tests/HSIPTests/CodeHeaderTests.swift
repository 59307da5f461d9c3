import HSIP
import Testing

struct CodeHeaderTests {
    private let issued: UInt64 = 1_767_225_600

    private func header(_ kind: CodeKind = .offer, ttl: UInt16 = 15) throws -> CodeHeader {
        try CodeHeader(kind: kind, issued: issued, ttlMinutes: ttl, lifeHours: 168, limit: 1000)
    }

    private func refusal(_ header: CodeHeader, at wallClock: UInt64, effective: UInt64? = nil) -> HSIPError? {
        do {
            try header.checkTime(wallClock: wallClock, effectiveNow: effective ?? wallClock)
            return nil
        } catch {
            return error
        }
    }

    @Test func `ends are counted from the time of issue`() throws {
        #expect(try header().expiry == issued + 900)
        #expect(try header(.answer, ttl: 10_080).expiry == issued + 604_800)
        #expect(try header(.accept).epochEnd == issued + 604_800)
    }

    @Test func `ten minutes of difference are allowed, a second more is not`() throws {
        let code = try header()
        #expect(refusal(code, at: issued) == nil)
        #expect(refusal(code, at: issued - 600) == nil)
        #expect(refusal(code, at: issued - 601) == .codeFromFuture(seconds: 601))
        #expect(refusal(code, at: issued - 7200) == .codeFromFuture(seconds: 7200))
        #expect(refusal(code, at: issued + 900 + 600) == nil)
        #expect(refusal(code, at: issued + 900 + 601) == .codeExpired)
    }

    @Test func `the future is of the wall clock, too late is of effective now`() throws {
        let code = try header()
        #expect(refusal(code, at: issued, effective: issued + 1501) == .codeExpired)
        #expect(refusal(code, at: issued, effective: issued + 1500) == nil)
        #expect(refusal(code, at: issued - 601, effective: issued) == .codeFromFuture(seconds: 601))
        #expect(refusal(code, at: issued - 601, effective: issued + 9999) == .codeFromFuture(seconds: 601))
    }

    @Test func `a revocation never expires but may not come from the future`() throws {
        let code = try CodeHeader.revocation(issued: issued)
        #expect(refusal(code, at: issued + 4_000_000_000) == nil)
        #expect(refusal(code, at: .max) == nil)
        #expect(refusal(code, at: issued - 600) == nil)
        #expect(refusal(code, at: issued - 601) == .codeFromFuture(seconds: 601))
    }

    @Test func `no clock makes the arithmetic overflow`() throws {
        let code = try CodeHeader(
            kind: .rotate,
            issued: UInt64(UInt32.max),
            ttlMinutes: 10_080,
            lifeHours: 720,
            limit: 1
        )
        #expect(refusal(code, at: 0) == .codeFromFuture(seconds: Int64(UInt32.max)))
        #expect(refusal(code, at: .max) == .codeExpired)
        #expect(refusal(code, at: .max - 600, effective: 0) == nil)
        #expect(code.epochEnd == UInt64(UInt32.max) + 2_592_000)
    }

    @Test func `a header out of range cannot be made`() {
        #expect(throws: HSIPError.malformed) {
            try CodeHeader(kind: .offer, issued: 1 << 32, ttlMinutes: 1, lifeHours: 1, limit: 1)
        }
        #expect(throws: HSIPError.malformed) {
            try CodeHeader(kind: .verify, issued: 1, ttlMinutes: 1, lifeHours: 1, limit: 1)
        }
        #expect(throws: HSIPError.malformed) {
            try CodeHeader(kind: .revoke, issued: 1, ttlMinutes: 1, lifeHours: 0, limit: 0)
        }
        #expect(throws: HSIPError.unsupportedFlag) {
            try CodeHeader(kind: .answer, isFresh: true, issued: 1, ttlMinutes: 1, lifeHours: 1, limit: 1)
        }
        for (ttl, life, limit): (UInt16, UInt16, UInt16) in [
            (0, 1, 1), (10_081, 1, 1), (1, 0, 1), (1, 721, 1), (1, 1, 0), (1, 1, 1001),
        ] {
            #expect(throws: HSIPError.malformed) {
                try CodeHeader(kind: .accept, issued: 1, ttlMinutes: ttl, lifeHours: life, limit: limit)
            }
        }
    }
}
