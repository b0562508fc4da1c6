#ifndef C_ARGUMENTS_H
#define C_ARGUMENTS_H

/// The arguments of this process, the executable's name first, ended by NULL, as `main` has them: Swift asks
/// Linux's /proc, which may be missing. NULL where the loader does not hand them on.
char **cpr_arguments(void);

#endif
