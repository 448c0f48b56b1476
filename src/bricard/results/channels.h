// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "bricard/assemble/markers.h"
#include "bricard/results/beam_stations.h"
#include "bricard/results/channel.h"
#include "bricard/results/results.h"
#include "bricard/system/system.h"

// From samples to named values with unit and frame: what every result file and plot shows.
namespace bricard {

/// The channels of one run and how to compute them.
///   bodies   position, quaternion_wxyz, velocity, angular_velocity, acceleration,
///            angular_acceleration: of the body frame, all in the ground frame; the same of interfaces of flexible
///            bodies, arm.tip, and modal_coordinates of the latter
///   joints   coordinates; force and torque that the joint exerts on its second body at its second
///            marker, ground axes
///   beams    what is known along them, see beam_stations.h
///   signals  energy.*, constraint.*, <joint>.<coordinate>, <point>.x .y .z, <spring>.length and
///            .force (> 0 pulls), <beam>.strain_energy, <torsion spring>.torque on the second body, the model's own, and
///            what the elements list themselves
class Channels {
 public:
  /// `start_energy` is T + V at the start, from which energy.defect is counted.
  Channels(const Model& model, const System& system, double start_energy);

  const std::vector<Channel>& list() const { return list_; }

  /// The values of all channels at one sample, in the order of list().
  const std::vector<double>& evaluate(const Sample& sample);
  /// Which signals have had no finite value, and since when.
  std::vector<std::string> remarks() const;

 private:
  struct Spring {
    MarkerPose i, j;
    double stiffness, damping, free_length, preload;
    std::shared_ptr<const MeasuredFormulas> law;
  };
  struct TurningSpring {
    const JointInfo* joint;
    const RelativeCoordinate* angle;
    double stiffness, damping, free_angle;
    std::shared_ptr<const MeasuredFormulas> law;
  };

  void list_bodies(const FrameTable& frames);
  void list_joints();
  void list_signals(const Model& model);
  void find_springs(const Named& named);
  void add_bodies(const State& s);
  void add_quaternion(const State& s, int node);
  void add_joints();
  void add_signals(const Sample& sample);
  void add_springs();
  void add(const Vector3d& value) { row_.insert(row_.end(), value.data(), value.data() + 3); }

  const System& system_;
  struct ShownFrame {
    int node;
    Vector3d origin;  ///< of the body frame, from the mass centre, in body axes
  };
  std::vector<ShownFrame> shown_;
  double start_energy_;
  std::vector<Spring> springs_;
  std::vector<BeamStations> beams_;
  std::vector<TurningSpring> torsion_springs_;
  std::vector<Channel> list_;

  Kinematics kinematics_;  // scratch from here on
  std::vector<Wrench> reactions_;
  std::vector<double> coordinates_;  ///< of all joints
  VectorXd angle_rates_;
  std::vector<double> row_;
  std::vector<double> lost_;  ///< of each variable and signal, when it was first not finite; NaN: never
};

/// The channels of a run over time.
struct ChannelTable {
  std::vector<double> time;
  std::vector<Channel> channels;
  std::vector<std::vector<double>> values;  ///< per channel, row after row
};

/// The regular samples of a run; those that were asked for by time are not part of it.
ChannelTable make_channel_table(Channels& channels, const std::vector<Sample>& samples);

}  // namespace bricard
