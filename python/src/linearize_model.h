// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "read_model.h"

namespace bricard::python {

/// Small motions about a point of the model, as its section `linearization` wants them: matrices, names and remarks.
/// `point` is given, static or steady; with `time` the model first runs until then. Throws ModelError.
py::dict linearize_model(const ReadModel& read, const std::string& point, std::optional<double> time);

/// Free small motions: eigenvalues, labels, shapes of the bodies, and as `results` a file that a viewer shows.
py::dict modes_of_model(const ReadModel& read, const std::string& point, std::optional<double> time, int count,
                        bool undamped, double shift);

}  // namespace bricard::python
