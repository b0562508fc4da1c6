#ifndef C_ARGUMENTS_H
#define C_ARGUMENTS_H

/// Returns the arguments of this process as `main` gets them, ended by NULL; NULL if the loader does not pass
/// them to initializers. Swift reads them from Linux's /proc, which may be missing.
char **cpr_arguments(void);

#endif
