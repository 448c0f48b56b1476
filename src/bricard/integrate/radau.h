// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "bricard/integrate/constraint_check.h"
#include "bricard/integrate/newton_control.h"
#include "bricard/integrate/turn_counter.h"
#include "bricard/solve/projection.h"

// Radau IIA, three stages (order 5) or one (order 1, backward Euler), index 3.        theory: docs/theory/radau.md
//     Żᵢ = Σ wᵢⱼ Zⱼ/h,   Vᵢ = T(Zᵢ) Żᵢ,   Aᵢ = Σ wᵢⱼ (Vⱼ − v_n)/h,   w = A⁻¹ of the tableau
//     M Aᵢ + Gᵀλᵢ = f,  g = 0   at q_n∘Exp(Zᵢ), t_n + cᵢ h;   the last stage is the end of the step [HairerWanner1996]
// Newton's matrix couples all stages by w² (with M) and w (with damping). w² is replaced by D, the inverse of the lower
// factor of A² = L U: in the limit of small steps the iteration ends after three passes, and stiff modes converge too
// [HouwenSwart1997]. D is triangular: the stages are corrected one after the other, each with a matrix of the ordinary
// kind at its own positions.
namespace bricard {

class RadauIia final : public Integrator {
 public:
  RadauIia(const System& system, int stages, const RunSettings& settings, const Tolerances& tolerances);

  LocalError local_error() override;
  SolverCounts counts() const override;
  std::size_t bytes() const override;
  const char* solver_name() const override { return newton_[0]->solver_name(); }

  const VectorXd& increment() const { return Z_[stages_ - 1]; }

  void save() override;
  void restore() override;
  void archive(Archive& x) override;

 private:
  void begin(const State& s) override;
  StepReport try_step(double h, const State& s) override;
  void take_step(State& s, StepReport& report) override;
  static constexpr int kStages = 3;
  struct Tableau {
    Eigen::MatrixXd w;             // A⁻¹
    Eigen::VectorXd c;             // times
    Eigen::MatrixXd D, root_of_D;  // the splitting of w²
    Eigen::MatrixXd D_of_rates;    // that of w
  };
  static Tableau make_tableau(int stages);

  void predict(const State& s);
  StepReport iterate(const State& s);
  void finish(const State& s, StepReport& report);
  void remember(const State& end);
  void stage_velocities();
  void set_stage(int i, const State& s);
  void factorize(int stage);
  double correct(const State& s, bool new_matrices);
  void velocity_rows(int stage, const State& s);
  void solve(int stage);
  void estimate_error();
  void add_velocity_error();

  const System& system_;
  TurnCounter turns_;
  NewtonControl control_;
  ConstraintCheck check_;
  int stages_;
  Tableau tableau_;
  double time_factor_ = 0;  // the motion changes within this many steps
  ProjectionMode mode_;
  std::vector<std::unique_ptr<NewtonSystem>> newton_;
  std::unique_ptr<Projection> projection_;

  bool redundant_ = false;  // the constraints depend on each other
  double h_ = 0;
  State next_;
  Kinematics kinematics_;
  Residual residual_;
  std::vector<Matrix3d> no_chart_;
  std::array<VectorXd, kStages> Z_, V_, lambda_, dz_;
  VectorXd x_, work_, again_, rows_, error_, start_velocity_, start_acceleration_;
  struct Memory {
    std::array<VectorXd, kStages> cubic;  // of the last step, see predict()
    double last_h = 0;                    // its size; 0: there is none
  };
  Memory memory_, saved_;
};

}  // namespace bricard
