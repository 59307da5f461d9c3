// What a process that mostly waits can give back.
#ifndef HSIP_MEMORY_EXTRAS_H
#define HSIP_MEMORY_EXTRAS_H

/// Takes the program's and its libraries' code and constants out of the resident memory of this process.
///
/// They are read-only pages of files: what is used again comes back from the page cache at its first touch, a few
/// hundred faults of about a microsecond. Nothing that was ever written to is touched.
void hsip_let_go_of_code(void);

#endif
