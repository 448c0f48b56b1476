// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bricard/model/framework.h"
#include "bricard/read/cursor.h"

namespace bricard::io {

/// One entry of the section `frames`. What is said for all members is recorded for each of them, as if it stood there.
Framework read_framework(const Entry& entry);

}  // namespace bricard::io
