internal import Explorer
internal import Testing
