/// A property that did not hold, with the smallest input found for which it does not.
public struct PropertyFailure: Error, CustomStringConvertible {
    /// What was claimed, the seed of the run, and the input after shrinking.
    public let description: String
}

/// Checks a claim for many generated inputs and makes a failing one as small as it can.
///
/// Run number n uses the seed `seed + n`, so one failing run can be repeated alone. `check` answers whether the
/// claim holds for an input; an error thrown by it counts as "no". `shrink` proposes smaller inputs, the
/// smallest first; shrinking takes the first that still fails, again and again, at most 1,000 checks.
/// Throws `PropertyFailure`.
public func forAll<T>(
    _ name: String,
    seed: UInt64 = 1,
    runs: Int = 200,
    generate: (inout SeededGenerator) throws -> T,
    shrink: (T) -> [T] = { _ in [] },
    check: (T) throws -> Bool
) throws {
    for run in 0..<runs {
        let runSeed = seed &+ UInt64(run)
        var generator = SeededGenerator(seed: runSeed)
        let input = try generate(&generator)
        guard var reason = failure(of: check, for: input) else { continue }
        var smallest = input
        var checksLeft = 1000
        var isSmaller = true
        while isSmaller, checksLeft > 0 {
            isSmaller = false
            for candidate in shrink(smallest) where checksLeft > 0 {
                checksLeft -= 1
                guard let found = failure(of: check, for: candidate) else { continue }
                (smallest, reason, isSmaller) = (candidate, found, true)
                break
            }
        }
        throw PropertyFailure(
            description: "\(name): \(reason) for seed \(runSeed), smallest input \(smallest)"
        )
    }
}

/// Why the claim does not hold for an input; nil if it holds.
private func failure<T>(of check: (T) throws -> Bool, for input: T) -> String? {
    do {
        return try check(input) ? nil : "does not hold"
    } catch {
        return "threw \(error)"
    }
}
