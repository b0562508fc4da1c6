#define _GNU_SOURCE
#undef _FORTIFY_SOURCE

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// Calls every function that FileSystemTap defines, in the working directory, which is empty at first,
// and prints what it returns: with the library that is to be the same as without. With an argument
// several threads call instead.

int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);

/// Prints what a call returns, and the error number that it leaves.
#define TRY(call)                                                        \
  do {                                                                   \
    errno = 77;                                                          \
    long long result = (long long)(call);                                \
    printf("%s = %lld, %d\n", #call, result, errno);                     \
  } while (0)

/// Prints whether a call returns a descriptor, and puts it into a variable.
#define OPEN(file, call)                                                 \
  do {                                                                   \
    errno = 77;                                                          \
    file = (call);                                                       \
    printf("%s %s, %d\n", #call, file >= 0 ? "opens" : "fails", errno);  \
  } while (0)

/// A mark that the tap notes, and an attribute that it does not.
#define MARK "user.com.apple.metadata:com_apple_backup_excludeItem"
#define STAMP "user.stamp"

/// An open directory.
static int directory;

/// Opens files in every way.
static void try_opening(void) {
  int file;
  OPEN(file, open("opened", O_CREAT | O_RDWR, 0640)); close(file);
  OPEN(file, open64("opened64", O_CREAT | O_EXCL | O_RDWR, 0640)); close(file);
  OPEN(file, open("opened", O_CREAT | O_EXCL | O_RDWR, 0640));
  OPEN(file, openat(directory, "at", O_CREAT | O_WRONLY, 0600)); close(file);
  OPEN(file, openat64(directory, "at64", O_CREAT | O_WRONLY, 0600)); close(file);
  OPEN(file, creat("made", 0600)); TRY(write(file, "made", 4)); close(file);
  OPEN(file, creat64("made", 0600)); close(file);
  OPEN(file, creat("opened/none", 0600));
  OPEN(file, open("no/such", O_CREAT | O_RDWR, 0600));
  OPEN(file, open(NULL, O_CREAT | O_RDWR, 0600));
  OPEN(file, open("", O_CREAT | O_RDWR, 0600));
  OPEN(file, open("folder", O_CREAT | O_RDWR, 0600));
  OPEN(file, open("made", O_WRONLY)); TRY(write(file, "again", 5)); close(file);
  OPEN(file, __open_2("made", O_RDWR | O_TRUNC)); TRY(write(file, "2", 1)); close(file);
  OPEN(file, __open64_2("made", O_RDWR | O_TRUNC)); TRY(write(file, "3", 1)); close(file);
  OPEN(file, __openat_2(AT_FDCWD, "made", O_RDWR | O_TRUNC)); TRY(write(file, "4", 1)); close(file);
  OPEN(file, __openat64_2(AT_FDCWD, "made", O_RDWR | O_TRUNC)); close(file);
  TRY(symlink("dangling", "to-dangling"));
  OPEN(file, open("to-dangling", O_CREAT | O_RDWR | O_NOFOLLOW, 0600));
  OPEN(file, open("to-dangling", O_CREAT | O_RDWR | O_EXCL, 0600));
  OPEN(file, open("to-dangling", O_CREAT | O_RDWR, 0600)); TRY(write(file, "x", 1)); close(file);
  TRY(symlink("round", "round"));
  OPEN(file, open("round", O_CREAT | O_RDWR, 0600));
  TRY(mkfifo("pipe", 0600));
  OPEN(file, open("pipe", O_RDWR | O_CREAT | O_TRUNC, 0600)); TRY(write(file, "x", 1)); close(file);
}

/// Opens streams.
static void try_streams(void) {
  FILE *stream;
  TRY((stream = fopen("stream", "w")) != NULL); fclose(stream);
  TRY((stream = fopen64("stream", "wxe")) != NULL);
  TRY((stream = fopen64("stream64", "a+")) != NULL);
  TRY((stream = freopen("reopened", "w+", stream)) != NULL);
  TRY((stream = freopen64("reopened64", "w", stream)) != NULL);
  TRY((stream = freopen(NULL, "w", stream)) != NULL); fclose(stream);
  TRY((stream = fopen("no/stream", "w")) != NULL);
  TRY((stream = fopen("none", "r")) != NULL);
  TRY((stream = fopen("stream", "?")) != NULL);
  // What they write, at any place, and by the descriptor below.
  char bytes[20000];
  memset(bytes, 'b', sizeof bytes);
  TRY((stream = fopen("written", "w+")) != NULL);
  TRY(fwrite(bytes, 1, sizeof bytes, stream) == sizeof bytes); TRY(fputs("text", stream) >= 0);
  TRY(ftell(stream)); TRY(fseek(stream, 100, SEEK_SET)); TRY(fputc('c', stream)); TRY(fflush(stream));
  TRY(fseek(stream, 99, SEEK_SET)); TRY(fgetc(stream)); TRY(fgetc(stream)); TRY(fseek(stream, 0, SEEK_END));
  TRY(fileno(stream) >= 0); TRY(ftruncate(fileno(stream), 50)); TRY(fclose(stream));
  TRY((stream = fopen("written", "a")) != NULL); TRY(ftell(stream)); TRY(fprintf(stream, "%d", 12)); TRY(fclose(stream));
  TRY((stream = fopen("written", "r+")) != NULL); TRY(setvbuf(stream, NULL, _IONBF, 0));
  TRY(fputs("unbuffered", stream) >= 0); TRY(fgetc(stream)); TRY(fclose(stream));
  TRY((stream = fopen("written", "w")) != NULL); TRY(fputs("first", stream) >= 0);
  TRY((stream = freopen("written again", "w+", stream)) != NULL); TRY(fputs("second", stream) >= 0);
  TRY(fseek(stream, 1, SEEK_SET)); TRY(fgetc(stream)); TRY(fclose(stream));
  TRY((stream = fopen("written", "r")) != NULL); TRY(fputc('x', stream)); TRY(fgetc(stream)); fclose(stream);
  int file = open("described", O_CREAT | O_RDWR, 0600);
  TRY((stream = fdopen(file, "w")) != NULL); TRY(fputs("text", stream) >= 0); TRY(fclose(stream));
  file = open("described", O_RDWR);
  TRY((stream = fdopen(file, "a+")) != NULL); TRY(ftell(stream)); TRY(fputs("more", stream) >= 0); TRY(fflush(stream));
  TRY(fcntl(file, F_GETFL) & O_APPEND); TRY(fseek(stream, 0, SEEK_SET)); TRY(fgetc(stream)); fclose(stream);
  file = open("described", O_RDONLY); TRY((stream = fdopen(file, "w")) != NULL); close(file);
}

/// Looks for items in every way.
static void try_looks(void) {
  struct stat status;
  struct stat64 wide;
  struct statx all;
  DIR *listing;
  TRY(stat("made", &status)); TRY(stat("none", &status)); TRY(stat("no/such", &status));
  TRY(stat64("made", &wide)); TRY(stat64("none", &wide)); TRY(stat("", &status));
  TRY(lstat("to-dangling", &status)); TRY(lstat("none", &status)); TRY(lstat64("none", &wide));
  TRY(fstatat(directory, "at", &status, 0)); TRY(fstatat(directory, "none", &status, 0));
  TRY(fstatat64(directory, "", &wide, AT_EMPTY_PATH)); TRY(fstatat64(-1, "none", &wide, 0));
  TRY(statx(directory, "at", 0, STATX_SIZE, &all)); TRY(statx(AT_FDCWD, "none", 0, 0, &all));
  TRY(access("made", R_OK)); TRY(access("none", F_OK)); TRY(access(NULL, F_OK));
  TRY(faccessat(directory, "at", R_OK, 0)); TRY(faccessat(directory, "none", R_OK, 0));
  TRY((listing = opendir("folder")) != NULL); TRY(closedir(listing));
  TRY(opendir("none") == NULL); TRY(opendir("made") == NULL);
}

/// Makes files and folders with names of their own, and removes them.
static void try_temporaries(void) {
  char name[64];
  int file;
  strcpy(name, "oneXXXXXX"); OPEN(file, mkstemp(name)); close(file); TRY(unlink(name));
  strcpy(name, "oneXXXXXX"); OPEN(file, mkstemp64(name)); close(file); TRY(unlink(name));
  strcpy(name, "twoXXXXXX"); OPEN(file, mkostemp(name, O_APPEND)); close(file); TRY(unlink(name));
  strcpy(name, "twoXXXXXX"); OPEN(file, mkostemp64(name, 0)); close(file); TRY(unlink(name));
  strcpy(name, "threeXXXXXX.c"); OPEN(file, mkstemps(name, 2)); close(file); TRY(unlink(name));
  strcpy(name, "threeXXXXXX.c"); OPEN(file, mkstemps64(name, 2)); close(file); TRY(unlink(name));
  strcpy(name, "fourXXXXXX.c"); OPEN(file, mkostemps(name, 2, O_SYNC)); close(file); TRY(unlink(name));
  strcpy(name, "fourXXXXXX.c"); OPEN(file, mkostemps64(name, 2, 0)); close(file); TRY(unlink(name));
  strcpy(name, "dirXXXXXX"); TRY(mkdtemp(name) == name); TRY(rmdir(name));
  strcpy(name, "noneXXXXX"); OPEN(file, mkstemp(name));
  strcpy(name, "no/suchXXXXXX"); OPEN(file, mkstemp(name)); TRY(mkdtemp(name) == NULL);
}

/// Writes in every way.
static void try_writing(void) {
  int file;
  int ends[2];
  char big[10000];
  memset(big, 0, sizeof big);
  struct iovec pieces[] = {{"ab", 2}, {NULL, 0}, {"cde", 3}};
  OPEN(file, open("written", O_CREAT | O_RDWR, 0600));
  TRY(write(file, "hello", 5));
  TRY(write(file, NULL, 0));
  TRY(write(file, NULL, 5));
  TRY(write(file, big, sizeof big));
  TRY(pwrite(file, "P", 1, 2));
  TRY(pwrite64(file, "Q", 1, 20000));
  TRY(pwrite(file, "Q", 1, -1));
  TRY(writev(file, pieces, 3));
  TRY(writev(file, NULL, 3));
  TRY(writev(file, pieces, -1));
  TRY(pwritev(file, pieces, 3, 30));
  TRY(pwritev64(file, pieces, 3, 40));
  TRY(pwritev2(file, pieces, 3, -1, 0));
  TRY(pwritev64v2(file, pieces, 3, 50, RWF_APPEND));
  struct iovec *many = calloc(1024, sizeof *many);
  for (int index = 0; index < 1024; index++) many[index] = (struct iovec){"m", 1};
  long written = 0;
  while (written < 1024) written += writev(file, many + written, (int)(1024 - written));
  free(many);
  close(file);
  OPEN(file, open("written", O_WRONLY | O_APPEND)); TRY(write(file, "end", 3));
  TRY(pwrite(file, "end", 3, 0)); close(file);
  OPEN(file, open("written", O_RDONLY)); TRY(write(file, "x", 1)); close(file);
  TRY(write(-1, "x", 1));
  TRY(pipe(ends)); TRY(write(ends[1], "x", 1)); TRY(writev(ends[1], pieces, 3));
  close(ends[0]); close(ends[1]);
}

/// Writes more than a file may have.
static void try_short_writes(void) {
  struct rlimit former;
  int file;
  signal(SIGXFSZ, SIG_IGN);
  TRY(getrlimit(RLIMIT_FSIZE, &former));
  struct rlimit limit = {.rlim_cur = 1 << 22, .rlim_max = former.rlim_max};
  OPEN(file, open("limited", O_CREAT | O_RDWR, 0600));
  TRY(ftruncate(file, (1 << 22) - 3));
  TRY(setrlimit(RLIMIT_FSIZE, &limit));
  TRY(pwrite(file, "12345", 5, (1 << 22) - 3));
  TRY(pwrite(file, "12345", 5, 1 << 22));
  TRY(ftruncate(file, (1 << 22) + 1));
  TRY(setrlimit(RLIMIT_FSIZE, &former));
  close(file);
}

/// Copies between files.
static void try_copying(void) {
  int from;
  int to;
  off_t offset = 1;
  OPEN(from, open("written", O_RDONLY));
  OPEN(to, open("copied", O_CREAT | O_RDWR, 0600));
  TRY(sendfile(to, from, NULL, 10));
  TRY(sendfile64(to, from, &offset, 1000)); TRY(offset);
  TRY(lseek(from, 0, SEEK_CUR));
  TRY(copy_file_range(from, NULL, to, NULL, 100, 0));
  offset = 5;
  off_t place = 20000;
  TRY(copy_file_range(from, &offset, to, &place, 7, 0)); TRY(offset); TRY(place);
  TRY(lseek(from, 0, SEEK_END));
  TRY(sendfile(to, from, NULL, 10));
  TRY(copy_file_range(from, NULL, to, NULL, 10, 0));
  TRY(sendfile(to, -1, NULL, 10));
  TRY(sendfile(-1, from, NULL, 10));
  TRY(copy_file_range(to, NULL, from, NULL, 10, 0));
  TRY(ioctl(to, FICLONE, -1));
  close(from); close(to);
}

/// Changes files' lengths and maps them.
static void try_lengths(void) {
  int file;
  OPEN(file, open("long", O_CREAT | O_RDWR, 0600));
  TRY(write(file, "0123456789", 10));
  TRY(ftruncate(file, 8)); TRY(ftruncate64(file, 8)); TRY(ftruncate64(file, 12));
  TRY(ftruncate(file, -1)); TRY(ftruncate(-1, 1)); TRY(truncate("none", 1));
  TRY(truncate("long", 6)); TRY(truncate64("long", 20)); TRY(truncate("folder", 2));
  TRY(fallocate(file, 0, 10, 20)); TRY(fallocate64(file, 0, 0, 5));
  TRY(fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 100)); TRY(fallocate(file, 0, -1, 5));
  TRY(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 2, 2));
  TRY(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 4, 1000));
  TRY(posix_fallocate(file, 0, 40)); TRY(posix_fallocate64(file, 10, 40));
  TRY(posix_fallocate(-1, 0, 40)); TRY(posix_fallocate(file, 0, 0));
  char *mapped;
  TRY((mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) != MAP_FAILED);
  TRY(msync(mapped, 4096, MS_SYNC)); TRY(msync(mapped + 1, 4096, MS_SYNC)); TRY(munmap(mapped, 4096));
  TRY((mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) != MAP_FAILED);
  TRY((mapped = mremap(mapped, 4096, 8192, MREMAP_MAYMOVE)) != MAP_FAILED);
  TRY(munmap(mapped, 8192)); TRY(munmap(mapped + 1, 4096));
  TRY((mapped = mmap64(NULL, 4096, PROT_READ, MAP_SHARED, file, 0)) != MAP_FAILED);
  TRY(munmap(mapped, 4096));
  TRY(mmap(NULL, 0, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED);
  close(file);
}

/// Gives and takes names.
static void try_names(void) {
  TRY(mkdir("a", 0700)); TRY(mkdir("a", 0700)); TRY(mkdir("a/b/", 0700)); TRY(mkdir("no/b", 0700));
  TRY(mkdirat(directory, "c", 0700)); TRY(mkdirat(-1, "c", 0700)); TRY(mkdir("", 0700));
  TRY(link("made", "a/hard")); TRY(link("made", "a/hard")); TRY(link("none", "a/new"));
  TRY(link("a", "a/new")); TRY(linkat(AT_FDCWD, "made", directory, "hard", 0));
  TRY(symlink("../made", "a/soft")); TRY(symlink("x", "a/soft")); TRY(symlink("", "a/empty"));
  TRY(symlinkat("../a", directory, "up"));
  TRY(linkat(AT_FDCWD, "a/soft", AT_FDCWD, "a/followed", AT_SYMLINK_FOLLOW));
  TRY(linkat(AT_FDCWD, "a/soft", AT_FDCWD, "a/soft2", 0));
  TRY(rename("a/hard", "a/soft")); TRY(rename("a/soft", "made")); TRY(rename("none", "b"));
  TRY(rename("a/b", "a/b/c")); TRY(rename("folder/c", "a/c")); TRY(rename("a/soft2", "folder/up/s"));
  TRY(renameat(directory, "hard", AT_FDCWD, "a/hard2")); TRY(renameat(directory, "x", -1, "y"));
  TRY(renameat2(AT_FDCWD, "a/hard2", AT_FDCWD, "made", RENAME_NOREPLACE));
  TRY(renameat2(AT_FDCWD, "a/c", AT_FDCWD, "opened", RENAME_EXCHANGE));
  TRY(renameat2(AT_FDCWD, "a/hard2", AT_FDCWD, "a/last", RENAME_NOREPLACE));
  TRY(renameat2(AT_FDCWD, "none", AT_FDCWD, "made", RENAME_EXCHANGE));
  TRY(rmdir("opened")); TRY(rmdir("a")); TRY(rmdir("a/last")); TRY(rmdir("none"));
  TRY(unlink("a")); TRY(unlink("a/last")); TRY(unlink("none")); TRY(unlink("a/s"));
  TRY(unlinkat(directory, "up", AT_REMOVEDIR)); TRY(unlinkat(directory, "up", 0));
  TRY(unlinkat(AT_FDCWD, "a/b", AT_REMOVEDIR)); TRY(remove("a/c")); TRY(remove("a/followed"));
  TRY(remove("a")); TRY(remove("none"));
}

/// Gives and takes attributes.
static void try_attributes(void) {
  int file;
  TRY(symlink("made", "marked")); 
  TRY(setxattr("marked", MARK, "value", 5, 0)); TRY(setxattr("marked", MARK, "v", 1, XATTR_CREATE));
  TRY(setxattr("made", STAMP, "value", 5, 0)); TRY(setxattr("none", MARK, "value", 5, 0));
  TRY(lsetxattr("made", MARK, "other", 5, XATTR_REPLACE)); TRY(lsetxattr("marked", MARK, "o", 1, 0));
  TRY(removexattr("marked", MARK)); TRY(removexattr("made", MARK)); TRY(lremovexattr("made", STAMP));
  TRY(lremovexattr("made", MARK)); TRY(setxattr("made", NULL, "value", 5, 0));
  OPEN(file, open("made", O_RDWR)); TRY(fsetxattr(file, MARK, "third", 5, 0));
  TRY(fremovexattr(file, MARK)); TRY(fsetxattr(directory, MARK, "folder", 6, 0));
  TRY(fremovexattr(-1, MARK)); close(file);
  OPEN(file, open("made", O_PATH)); char link[64]; sprintf(link, "/proc/self/fd/%d", file);
  TRY(setxattr(link, MARK, "by link", 7, 0)); close(file);
  struct { uint64_t bytes; uint32_t size; uint32_t flags; } value = {(uintptr_t)"at", 2, 0};
  const int set = 463;
  const int remove = 466;
  TRY(syscall(set, directory, "at", AT_SYMLINK_NOFOLLOW, MARK, &value, sizeof value));
  TRY(syscall(set, directory, "", AT_EMPTY_PATH, MARK, &value, sizeof value));
  TRY(syscall(set, directory, "none", 0, MARK, &value, sizeof value));
  TRY(syscall(set, directory, "at", 0, MARK, NULL, sizeof value));
  TRY(syscall(set, directory, "at", 0, STAMP, &value, sizeof value));
  TRY(syscall(set, AT_FDCWD, "marked", 0, MARK, &value, sizeof value));
  TRY(syscall(remove, AT_FDCWD, "marked", 0, MARK));
  TRY(syscall(remove, directory, "none", 0, MARK));
}

/// Changes files in children, and after all descriptors were closed.
static void try_processes(void) {
  int status;
  int file;
  OPEN(file, open("of-children", O_CREAT | O_RDWR, 0600));
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (write(file, "forked", 6) != 6) _exit(1);
    _exit(mkdir("forked", 0700) == 0 ? 0 : 1);
  }
  waitpid(child, &status, 0);
  TRY(status);
  child = vfork();
  if (child == 0) _exit(mkdir("vforked", 0700) == 0 ? 0 : 1);
  waitpid(child, &status, 0);
  TRY(status);
  for (int open_file = 3; open_file < 1024; open_file++) close(open_file);
  TRY(mkdir("closed", 0700));
}

/// Writes from a signal's handler, while the same thread may be writing.
static void write_from_handler(int signal) {
  int error = errno;
  int file = open("handled", O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (file < 0 || write(file, "s", 1) != 1) _exit(signal);
  close(file);
  errno = error;
}

/// Changes a file of its own, some hundred times.
static void *work(void *name) {
  char old[32];
  char new[32];
  snprintf(old, sizeof old, "t%s", (char *)name);
  snprintf(new, sizeof new, "u%s", (char *)name);
  for (int round = 0; round < 300; round++) {
    int file = open(old, O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (file < 0 || write(file, name, 1) != 1) abort();
    if (rename(old, new) != 0 || write(file, name, 1) != 1 || rename(new, old) != 0) abort();
    close(file);
    int all = open("all", O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (write(all, name, 1) != 1) abort();
    close(all);
  }
  return NULL;
}

/// Has threads work at once, with signals and children in between.
static int try_threads(void) {
  struct sigaction action = {.sa_handler = write_from_handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t threads[8];
  char *names[] = {"1", "2", "3", "4", "5", "6", "7", "8"};
  for (int index = 0; index < 8; index++) {
    if (pthread_create(&threads[index], NULL, work, names[index]) != 0) abort();
  }
  for (int round = 0; round < 40; round++) {
    for (int index = 0; index < 8; index++) pthread_kill(threads[index], SIGUSR1);
    pid_t child = fork();
    if (child == 0) _exit(mkdir("child", 0700) == 0 && rmdir("child") == 0 ? 0 : 1);
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) abort();
  }
  for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
  puts("done");
  return 0;
}

/// Tries to make items in 'closed', where only 'open' may be made, and to write in 'closed/read-only';
/// and looks for items in 'former' and then in 'folder'.
static int try_places(void) {
  struct stat status;
  struct stat64 wide;
  struct statx all;
  char name[64];
  int file;
  OPEN(file, open("closed/a", O_CREAT | O_RDWR, 0600));
  OPEN(file, openat(AT_FDCWD, "closed/a", O_CREAT | O_RDWR, 0600));
  OPEN(file, creat("closed/a", 0600));
  TRY(fopen("closed/a", "w") == NULL);
  TRY(fopen("closed/a", "a+") == NULL);
  TRY(freopen("closed/a", "w", stdin) == NULL);
  strcpy(name, "closed/oneXXXXXX"); OPEN(file, mkstemp(name));
  strcpy(name, "closed/oneXXXXXX.c"); OPEN(file, mkostemps(name, 2, 0));
  strcpy(name, "closed/oneXXXXXX"); TRY(mkdtemp(name) == NULL);
  TRY(mkdir("closed/a", 0700)); TRY(mkdirat(AT_FDCWD, "closed/a/", 0700));
  TRY(rename("made", "closed/a")); TRY(rename("none", "closed/a"));
  TRY(renameat(AT_FDCWD, "made", AT_FDCWD, "closed/there"));
  TRY(renameat2(AT_FDCWD, "made", AT_FDCWD, "closed/a", 0));
  TRY(link("made", "closed/a")); TRY(linkat(AT_FDCWD, "made", AT_FDCWD, "closed/a", 0));
  TRY(symlink("made", "closed/a")); TRY(symlinkat("made", AT_FDCWD, "closed/a"));
  TRY(symlink("closed/a", "to-closed")); OPEN(file, open("to-closed", O_CREAT | O_RDWR, 0600));
  // What is there, is allowed, or is further down is as elsewhere.
  TRY(mkdir("closed/there", 0700)); OPEN(file, open("closed/a", O_RDWR)); 
  OPEN(file, open("closed/there", O_CREAT | O_RDWR, 0600)); close(file);
  TRY(mkdir("closed/open", 0700)); TRY(mkdir("closed/open/a", 0700)); TRY(unlink("closed/there"));
  OPEN(file, open("closed/read-only/a", O_RDONLY)); close(file);
  OPEN(file, open("closed/read-only/a", O_WRONLY)); OPEN(file, open("closed/read-only/a", O_TRUNC));
  OPEN(file, open("closed/read-only/b", O_CREAT | O_RDONLY, 0600));
  TRY(fopen("closed/read-only/a", "r+") == NULL); TRY(truncate("closed/read-only/a", 0));
  TRY(mkdir("closed/read-only/b", 0700)); TRY(mkdir("closed/read-only/a", 0700));
  TRY(rename("made", "closed/read-only/a"));
  TRY(rename("closed/read-only/a", "taken")); TRY(unlink("taken"));
  TRY(access("former/Documents/access", F_OK)); TRY(faccessat(AT_FDCWD, "former/at", F_OK, 0));
  TRY(stat("former/stat", &status)); TRY(stat64("former/stat64", &wide));
  TRY(lstat("former/lstat", &status)); TRY(lstat64("former/lstat64", &wide));
  TRY(fstatat(AT_FDCWD, "former/fstatat", &status, 0));
  TRY(fstatat64(AT_FDCWD, "former/fstatat64", &wide, 0));
  TRY(statx(AT_FDCWD, "former/statx", 0, 0, &all));
  TRY(opendir("former/opendir") == NULL); TRY(fopen("former/fopen", "r") == NULL);
  OPEN(file, open("former/open", O_RDONLY)); OPEN(file, openat(AT_FDCWD, "former/openat", 0));
  TRY(access("folder/other", F_OK)); TRY(access("folder/access", F_OK));
  return 0;
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "places") == 0) return try_places();
  if (count > 1) return try_threads();
  TRY(mkdir("folder", 0700));
  OPEN(directory, open("folder", O_RDONLY | O_DIRECTORY));
  try_opening();
  try_streams();
  try_looks();
  try_temporaries();
  try_writing();
  try_short_writes();
  try_copying();
  try_lengths();
  try_names();
  try_attributes();
  try_processes();
  return 0;
}
