#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CLinuxAppShim.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A function without a frame, so that every argument stays in its register, that jumps to an address.
#ifdef __x86_64__
#define JUMP(name) "  jmpq *" #name "_address(%rip)\n"
#else
#define JUMP(name)                         \
  "  adrp x16, " #name "_address\n"        \
  "  ldr x16, [x16, :lo12:" #name "_address]\n" \
  "  br x16\n"
#endif

#define FOUNDATION(name)                                        \
  __attribute__((visibility("hidden"))) void *name##_address;   \
  __asm__(                                                      \
    ".text\n"                                                   \
    ".p2align 4\n"                                              \
    ".hidden " #name "\n"                                       \
    ".globl " #name "\n"                                        \
    ".type " #name ", @function\n" #name ":\n" JUMP(name))

FOUNDATION(cla_foundation_set_values);
FOUNDATION(cla_foundation_values);
FOUNDATION(cla_foundation_url);
FOUNDATION(cla_foundation_home);
FOUNDATION(cla_foundation_temporary);
FOUNDATION(cla_foundation_search);
FOUNDATION(cla_foundation_url_home);

// Finds the addresses. One that is not found is of a function that
// nobody calls by this name either.
static void find_foundation(void) {
  const struct {
    void **address;
    const char *symbol;
  } functions[] = {
    {&cla_foundation_set_values_address,
     "$s20FoundationEssentials3URLV0A0E17setResourceValuesyyAD011URLResourceF0VKF"},
    {&cla_foundation_values_address,
     "$s20FoundationEssentials3URLV0A0E14resourceValues7forKeysAD011URLResourceE0VShyAD0H3KeyVG_tKF"},
    {&cla_foundation_url_address,
     "$s20FoundationEssentials11FileManagerC0A0E3url3for2in14appropriateFor6createAA3URLVAC19SearchPat"
     "hDirectoryO_AC0lM10DomainMaskVAKSgSbtKF"},
    {&cla_foundation_home_address, "$s10Foundation15NSHomeDirectorySSyF"},
    {&cla_foundation_temporary_address, "$s10Foundation20NSTemporaryDirectorySSyF"},
    {&cla_foundation_search_address,
     "$s10Foundation35NSSearchPathForDirectoriesInDomainsySaySSG0A10Essentials11FileManagerC06SearchC9D"
     "irectoryO_AF0kC10DomainMaskVSbtF"},
    {&cla_foundation_url_home_address, "$s20FoundationEssentials3URLV13homeDirectoryACvgZ"},
  };
  for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
    *functions[index].address = dlsym(RTLD_NEXT, functions[index].symbol);
  }
}

// Writes to a word of a class, which a toolchain may keep on a page that is read-only.
static int write_word(const void **word, const void *value) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *const start = (void *)((uintptr_t)word / page * page);
  if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return -1;
  *word = value;
  return 0;
}

// Puts a function in the place of another in a class's table of methods; where the other is, or NULL.
static void *replace(const void *class, const char *symbol, const void *replacement) {
  // A class of Swift's without Objective-C: kind, superclass, flags, address point of instances, size
  // and alignment of instances, then the size of all of it and how much of that is before this place.
  uint32_t size, before;
  memcpy(&size, (const char *)class + 32, sizeof size);
  memcpy(&before, (const char *)class + 36, sizeof before);
  void *const old = dlsym(RTLD_NEXT, symbol);
  if (old == NULL || before >= size) return NULL;
  const size_t count = (size - before) / sizeof(void *);
  for (const void **word = (const void **)class; word < (const void **)class + count; word++) {
    if (*word == old) return write_word(word, replacement) == 0 ? old : NULL;
  }
  return NULL;
}

// LinuxAppShim's methods, of which only the address is known here.
extern char cla_set_value, cla_set_values, cla_get_value, cla_get_values, cla_bundle_identifier;

FOUNDATION(cla_foundation_nsurl_set_value);
FOUNDATION(cla_foundation_nsurl_get_value);
FOUNDATION(cla_foundation_nsurl_get_values);
FOUNDATION(cla_foundation_bundle_identifier);

void cla_replace_methods(const void *url_class, const void *bundle_class) {
  cla_foundation_nsurl_set_value_address = replace(
    url_class, "$s10Foundation5NSURLC16setResourceValue_6forKeyyypSg_AA011URLResourceG0VtKF",
    &cla_set_value);
  replace(
    url_class, "$s10Foundation5NSURLC17setResourceValuesyySDyAA14URLResourceKeyVypGKF",
    &cla_set_values);
  cla_foundation_nsurl_get_value_address = replace(
    url_class, "$s10Foundation5NSURLC16getResourceValue_6forKeyyyXlSgz_AA011URLResourceG0VtKF",
    &cla_get_value);
  cla_foundation_nsurl_get_values_address = replace(
    url_class, "$s10Foundation5NSURLC14resourceValues7forKeysSDyAA14URLResourceKeyVypGSayAGG_tKF",
    &cla_get_values);
  cla_foundation_bundle_identifier_address = replace(
    bundle_class, "$s10Foundation6BundleC16bundleIdentifierSSSgvg", &cla_bundle_identifier);
}

// LinuxAppShim's beginning, which hands over the classes.
extern void cla_begin(void);

// Runs before any code of the program's; Foundation is loaded by then.
__attribute__((constructor)) static void begin(void) {
  find_foundation();
  cla_begin();
}

#endif
