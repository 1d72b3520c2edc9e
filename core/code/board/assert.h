/*
 * <assert.h> of user code on boards: an assertion that fails ends the operation, and the failure
 * names file and line. The words are in flash; MOTEBENCH_FILE is the name of the source.
 */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#ifdef __AVR__
#define MB_ASSERT_FLASH __attribute__((__progmem__))
#else
#define MB_ASSERT_FLASH
#endif
#define MB_ASSERT_TEXT(line) #line
#define MB_ASSERT_LINE(line) MB_ASSERT_TEXT(line)
__attribute__((__noreturn__)) void mb_code_assert(const char *words);
#define assert(condition)                                                           \
    ((condition) ? (void)0 : __extension__({                                        \
        static const char mb_words[] MB_ASSERT_FLASH =                              \
            "assertion failed: " MOTEBENCH_FILE ", line " MB_ASSERT_LINE(__LINE__); \
        mb_code_assert(mb_words);                                                   \
    }))
#endif
#if !defined static_assert && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define static_assert _Static_assert
#endif
