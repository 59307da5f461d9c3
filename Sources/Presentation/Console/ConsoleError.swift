package import System

/// What can go wrong between the program and the person at the terminal; one set of errors with the files and the
/// helper programs after it.
package typealias ConsoleError = ProgramError
