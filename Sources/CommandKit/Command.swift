internal import ArgumentParser

/// A command of `hsip`: words in, data out, talk on the side.
protocol Command: ParsableCommand, Runnable {}
