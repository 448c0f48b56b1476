// SPDX-License-Identifier: Apache-2.0
#include "papers/scaling_study.h"

// The study of [Bauchau2009]: condition numbers with and without scaling, solution without pivoting, and what both mean
// for a mechanism at steps down to a nanosecond.
namespace bricard {

Study reproduce_000(const StudyContext& context) {
  Study study;
  study.name = "000";
  study.description = "scaling of constraints and the augmented Lagrangian term (Bauchau, Epple, Bottasso 2009)";
  scaling_study::study_tables(study);
  scaling_study::study_pivots(study);
  scaling_study::study_mechanism(context, study);
  scaling_study::study_beam(context, study);
  return study;
}

}  // namespace bricard
