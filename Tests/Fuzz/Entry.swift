import Glibc

/// The target of this process, from the environment.
private let target: FuzzTarget = {
    let name = unsafe getenv("HSIP_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("HSIP_FUZZ_TARGET must be one of:", FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
        exit(2)
    }
    return target
}()

/// Where libFuzzer comes in.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let broken = target.brokenPromise(bytes) else { return 0 }
    print("a broken promise: \(broken)")
    fflush(nil)
    abort()
}
