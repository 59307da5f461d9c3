/// Where a code was read.
///
/// Only the first two can have been the other person's own screen.
package enum CodeSource: String, Sendable {
    case camera, image, prompt, expected, text, clipboard, message
}
