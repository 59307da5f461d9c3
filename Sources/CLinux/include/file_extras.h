// What a file that is being made needs and Swift's Glibc module leaves out: flags that are expressions, and
// functions of GNU's.
#ifndef HSIP_FILE_EXTRAS_H
#define HSIP_FILE_EXTRAS_H

#include <stdint.h>

/// What statx(2) says of a name, but for its times.
struct hsip_facts {
    uint32_t mode, owner, links;
    uint64_t size, device, number;
};

/// Looks at a name, a relative one in an open folder, and asks for no times; 0, or -1 with errno. `follows` says whether a link
/// is followed.
int hsip_look(int folder, const char *_Nonnull path, int follows, struct hsip_facts *_Nonnull facts);
/// The same of an open file.
int hsip_look_open(int descriptor, struct hsip_facts *_Nonnull facts);

/// A new file of mode 0600 in a folder, for writing, that has no name and is gone when it is closed (O_TMPFILE);
/// -1 with errno where the file system has no such files.
int hsip_open_unnamed(const char *_Nonnull folder);

/// A new file of mode 0600 under a name whose last six letters, XXXXXX, are replaced; closed in programs that are started
/// (mkostemp(3), O_CLOEXEC). -1 with errno.
int hsip_make_temporary(char *_Nonnull name);

/// Gives such a file without a name one that is free (linkat(2)); 0, or -1 with errno. Needs /proc.
int hsip_give_name(int descriptor, const char *_Nonnull path);

/// Renames a file to a name that is free (renameat2(2), RENAME_NOREPLACE); 0, or -1 with errno.
int hsip_rename_new(const char *_Nonnull from, const char *_Nonnull to);

/// Begins to bring a part of a file to the disk and does not wait for it (sync_file_range(2)).
void hsip_begin_writing_back(int descriptor, int64_t offset, int64_t count);

#endif
