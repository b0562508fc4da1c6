#define _GNU_SOURCE

#include "Tap.h"

#ifdef TAP_IS_THERE

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

struct tap_functions tap_next;
int tap_state = TAP_UNKNOWN;
int tap_is_configured;
int tap_is_recording;
int tap_sees_changes;

/// The changes that this process has logged. The lock protects it.
static struct {
  /// The id of the process, which is read again after `fork`. A child of `vfork` shares this memory, and logs
  /// as its parent.
  pid_t process;
  /// The number of logged changes.
  uint32_t count;
  /// The number of the change before which the process is killed; 0 for none.
  uint32_t killed_before;
} noted;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// The number of nested locks of this thread, in memory that needs no allocation.
static _Thread_local int depth __attribute__((tls_model("initial-exec")));
/// The former signal mask and cancellation state of the thread that has the lock.
static uint64_t signals;
static int cancellation;

int backup_testing_tap_version(void) {
  return BACKUP_TESTING_TAP_VERSION;
}

/// The function to call before a change; NULL for none.
static void (*before_change)(void);

void backup_testing_tap_before_changes(void (*function)(void)) {
  before_change = function;
}

void tap_prepare_change(const char *path) {
  static _Thread_local int is_preparing __attribute__((tls_model("initial-exec")));
  if (before_change == NULL || is_preparing || depth > 0) return;
  // The thread that writes preferences has their lock, and may create their folders.
  static const char library[] = "/Library";
  static const char preferences[] = "/Library/Preferences";
  const char *folder = strstr(path, preferences);
  if (folder != NULL && strchr("/", folder[sizeof preferences - 1]) != NULL) return;
  const char *name = strrchr(path, '/');
  if (name != NULL && strcmp(name, library) == 0) return;
  int error = errno;
  is_preparing = 1;
  before_change();
  is_preparing = 0;
  errno = error;
}

long tap_system(long number, long a, long b, long c, long d) {
  int error = errno;
  long result = tap_next.syscall(number, a, b, c, d);
  if (result < 0) result = -errno;
  errno = error;
  return result;
}

/// The signals that a thread causes itself by a fault, and which cannot wait.
#define FAULT(signal) (1ull << ((signal) - 1))
static const uint64_t faults = FAULT(SIGILL) | FAULT(SIGTRAP) | FAULT(SIGABRT) | FAULT(SIGBUS) |
    FAULT(SIGFPE) | FAULT(SIGSEGV) | FAULT(SIGSYS);

void tap_lock(void) {
  if (depth > 0) {
    depth++;
    return;
  }
  const uint64_t blocked = ~faults;
  uint64_t former = 0;
  tap_system(SYS_rt_sigprocmask, SIG_BLOCK, (long)&blocked, (long)&former, sizeof former);
  pthread_mutex_lock(&lock);
  depth = 1;
  signals = former;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
}

void tap_unlock(void) {
  if (--depth > 0) return;
  const uint64_t former = signals;
  int could_be_cancelled = cancellation;
  pthread_mutex_unlock(&lock);
  pthread_setcancelstate(could_be_cancelled, NULL);
  tap_system(SYS_rt_sigprocmask, SIG_SETMASK, (long)&former, 0, sizeof former);
}

/// Resets the state in a child of `fork`, whose only thread has the lock.
static void begin_child(void) {
  noted.process = (pid_t)tap_system(SYS_getpid, 0, 0, 0, 0);
  noted.count = 0;
  // The function may need a lock that another thread of the parent has.
  before_change = NULL;
  tap_unlock();
}

/// Returns the number in a variable; 0 if it has none.
static uint32_t number_of(const char *name) {
  const char *text = secure_getenv(name);
  uint32_t number = 0;
  while (text != NULL && *text >= '0' && *text <= '9') {
    number = number * 10 + (uint32_t)(*text++ - '0');
  }
  return number;
}

void tap_observe_changes(void) {
  if (tap_sees_changes) return;
  tap_read_program();
  noted.process = (pid_t)tap_system(SYS_getpid, 0, 0, 0, 0);
  tap_sees_changes = 1;
}

int tap_start(void) {
  static int has_begun;
#define TAP_FIND(name) tap_next.name = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);
  TAP_FUNCTIONS(TAP_FIND)
#undef TAP_FIND
  // The code below, or another thread, may call a function of this library: that call is forwarded.
  if (__atomic_exchange_n(&has_begun, 1, __ATOMIC_ACQ_REL)) {
    return __atomic_load_n(&tap_state, __ATOMIC_ACQUIRE) == TAP_ON;
  }
  const char *log = secure_getenv("BACKUP_TESTING_TAP_LOG");
  int has_roots = tap_read_folders(&tap_roots, "BACKUP_TESTING_TAP_ROOTS");
  tap_read_notes();
  // Before there are threads that fork.
  pthread_atfork(tap_lock, tap_unlock, begin_child);
  int has_former = tap_read_folders(&tap_former, "BACKUP_TESTING_TAP_FORMER");
  int has_refusals = tap_read_refusals();
  tap_is_recording = log != NULL && has_roots && tap_open_log(log);
  int has_notes = has_roots && tap_notes_folder("") != NULL;
  tap_is_configured = has_notes || tap_is_recording || has_former || has_refusals;
  if (has_notes || tap_is_recording) tap_observe_changes();
  noted.killed_before = number_of("BACKUP_TESTING_TAP_KILL");
  __atomic_store_n(&tap_state, tap_is_configured ? TAP_ON : TAP_OFF, __ATOMIC_RELEASE);
  return tap_is_configured;
}

__attribute__((constructor)) static void start(void) {
  tap_is_off();
}

/// Kills this process. If it is a child of `vfork`, its parent is killed too, because its changes count as the
/// parent's.
static _Noreturn void end(void) {
  long own = tap_system(SYS_getpid, 0, 0, 0, 0);
  if (own != noted.process && tap_system(SYS_getppid, 0, 0, 0, 0) == noted.process) {
    tap_system(SYS_kill, noted.process, SIGKILL, 0, 0);
  }
  for (;;) tap_system(SYS_kill, own, SIGKILL, 0, 0);
}

/// Writes a record of a change, or of the result of the change with that number.
static void write_record(uint32_t number, const struct tap_change *change) {
  if (!tap_is_recording) return;
  struct backup_testing_tap_header header = {
    .magic = BACKUP_TESTING_TAP_MAGIC,
    .kind = change->kind,
    .process = (uint32_t)noted.process,
    .number = number,
    .offset = change->offset,
    .argument = change->argument,
  };
  tap_write_record(header, change);
}

uint32_t tap_note(const struct tap_change *change) {
  tap_compare_mappings();
  // `other` may be a new path or the name of an attribute.
  int has_new_path = change->other != NULL && change->other[0] == '/';
  tap_note_call(change->kind, has_new_path ? change->other : change->path);
  uint32_t number = ++noted.count;
  if (number == noted.killed_before) end();
  write_record(number, change);
  return number;
}

void tap_note_failure(uint32_t number, int error) {
  if (number == 0) return;
  write_record(
    number, &(struct tap_change){.kind = BACKUP_TESTING_TAP_FAILED, .argument = error});
}

int tap_end(uint32_t number, int result) {
  if (result < 0) tap_note_failure(number, errno);
  tap_unlock();
  return result;
}

void tap_note_short(uint32_t number, int64_t count) {
  if (number == 0) return;
  write_record(
    number, &(struct tap_change){.kind = BACKUP_TESTING_TAP_SHORT, .argument = count});
}

void tap_note_mapping(const char *path) {
  tap_lock();
  tap_note_call(BACKUP_TESTING_TAP_MAPPING, path);
  write_record(0, &(struct tap_change){.kind = BACKUP_TESTING_TAP_MAPPING, .path = path});
  tap_unlock();
}

#endif
