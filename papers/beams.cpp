// SPDX-License-Identifier: Apache-2.0
#include "papers/beam_study.h"
#include "papers/blades.h"

// The benchmark problems of flexible beams.
namespace bricard {

Study reproduce_beams(const StudyContext& context) {
  Study study;
  study.name = "beams";
  study.description = "benchmark problems of geometrically exact beams, at rest, in motion and turning";
  beam_study::study_statics(context, study);
  beam_study::study_motions(context, study);
  beam_study::study_mechanisms(study);
  beam_study::study_rotors(study);
  add_uniform_blade(context, study);
  return study;
}

}  // namespace bricard
