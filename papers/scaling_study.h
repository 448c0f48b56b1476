// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "papers/study.h"

// The parts of the study of [Bauchau2009] (papers/scaling.cpp).
namespace bricard::scaling_study {

/// Tables 1 and 2 (papers/scaling_tables.cpp).
void study_tables(Study& study);
/// Eqs. (35) and (36): solution without pivoting (papers/scaling_pivots.cpp).
void study_pivots(Study& study);
/// Any step size on a mechanism of the program (papers/scaling_mechanism.cpp).
void study_mechanism(const StudyContext& context, Study& study);
/// Section 9: a beam that a crank makes buckle (papers/scaling_beam.cpp).
void study_beam(const StudyContext& context, Study& study);

}  // namespace bricard::scaling_study
