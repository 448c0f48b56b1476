// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>

// Catches our own mistakes; on in debug, sanitizer and test builds.
#ifdef BRICARD_CHECKED
#define BRICARD_ASSERT(condition)                                                              \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition);   \
      std::abort();                                                                            \
    }                                                                                          \
  } while (false)
#else
#define BRICARD_ASSERT(condition) static_cast<void>(0)
#endif
