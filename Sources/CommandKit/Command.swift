package import ArgumentParser

/// A command of `hsip`: words in, data out, talk on the side.
package protocol Command: ParsableCommand, Runnable {}
