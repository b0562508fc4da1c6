#ifndef C_ARGUMENTS_H
#define C_ARGUMENTS_H

/// Returns the arguments that `main` gets, ended by NULL. Returns NULL if the loader does not pass
/// them to initializers. Swift's own function reads them from /proc on Linux, which may be missing.
char **cpr_arguments(void);

#endif
