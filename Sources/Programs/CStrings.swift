internal import Glibc

/// A list of C strings that ends in NULL, as posix_spawn(3) wants its arguments.
package enum CStrings {
    package static func with<R, E: Error>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(E) -> R
    ) throws(E) -> R {
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: strings.count + 1
        )
        defer { unsafe list.deallocate() }
        for (index, string) in strings.enumerated() {
            unsafe (list + index).initialize(to: strdup(string))
        }
        unsafe (list + strings.count).initialize(to: nil)
        defer {
            for index in strings.indices {
                unsafe free(list[index])
            }
        }
        return try unsafe body(list)
    }
}
