// SPDX-License-Identifier: Apache-2.0
#include "bricard/integrate/integrator.h"

#include "bricard/integrate/generalized_alpha.h"

namespace bricard {

std::unique_ptr<Integrator> make_integrator(const System& system, const RunSettings& settings) {
  AlphaCoefficients c{};
  switch (settings.integrator) {
    case IntegratorType::hht: c = hht_coefficients(settings.alpha); break;
    case IntegratorType::newmark: c = newmark_coefficients(settings.beta, settings.gamma); break;
    case IntegratorType::generalized_alpha: c = generalized_alpha_coefficients(settings.rho_infinity); break;
  }
  return std::make_unique<GeneralizedAlpha>(system, c, settings);
}

}  // namespace bricard
