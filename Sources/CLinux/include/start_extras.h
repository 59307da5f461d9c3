// What a program was started with, as the system handed it to main().
#ifndef HSIP_START_EXTRAS_H
#define HSIP_START_EXTRAS_H

/// The words of the command line, the program's own name first, ended by NULL; NULL where there are none.
///
/// They are those that main() gets. Swift looks for them beside the environment instead, and finds other memory there as
/// soon as a library has called setenv(3).
const char *_Nullable const *_Nullable hsip_arguments(void);

#endif
