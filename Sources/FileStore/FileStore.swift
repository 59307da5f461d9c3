// FileStore
