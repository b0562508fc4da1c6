#ifndef C_LINUX_APP_SHIM_H
#define C_LINUX_APP_SHIM_H

/// Foundation's own functions beneath those that LinuxAppShim puts in their place, on Linux.
///
/// A function that the executable defines wins over one of that name in a shared library, which then
/// can be called by its address only. `cla_foundation_…` are jumps to these addresses; Swift declares
/// them with the types of Foundation's. Elsewhere there are none.

/// Puts LinuxAppShim's methods into the tables of the classes NSURL and Bundle, on Linux.
void cla_replace_methods(const void *url_class, const void *bundle_class);

#endif
