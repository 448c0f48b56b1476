# SPDX-License-Identifier: Apache-2.0
"""A controller in Python swings a bar up and holds it there, with a motor too weak to lift it at once."""
import math

import matplotlib.pyplot as plt

import bricard

MASS, LENGTH, G, LIMIT = 1.0, 1.0, 9.81, 2.0  # the weight needs up to 4.9 N m, the motor has 2
INERTIA, WEIGHT = MASS * LENGTH**2 / 3, MASS * G * LENGTH / 2


def torque(a="angle(hinge)", w="angle_rate(hinge)"):
    """Far from the top: push along the motion until the energy is that of the top. Near it: PD."""
    from_top = math.remainder(a - math.pi, 2 * math.pi)
    if abs(from_top) < 0.3:
        wanted = -20 * from_top - 4 * w
    else:
        missing = WEIGHT * (1 + math.cos(a)) - INERTIA * w**2 / 2
        wanted = 10 * missing * w
    return max(-LIMIT, min(LIMIT, wanted))


model = bricard.Model(name="swing-up")
model.bodies["bar"] = dict(
    mass=MASS, inertia=[MASS * LENGTH**2 / 12, MASS * LENGTH**2 / 12, 1e-3], position=[0, 0, -LENGTH / 2],
    angular_velocity=[0, 0.05, 0], velocity=[-0.025, 0, 0], shapes=dict(type="box", size=[0.05, 0.05, LENGTH]))
model.joints["hinge"] = dict(type="revolute", between=["ground", "bar"], at=[0, 0, 0], axis=[0, 1, 0])
model.forces["motor"] = dict(type="motor", joint="hinge", force=torque)
model.signals["torque"] = torque
results = model.run(duration=10, step=2e-3)

figure, axes = plt.subplots(2, sharex=True)
results.plot("hinge.angle", ax=axes[0])
results.plot("torque", ax=axes[1])
figure.savefig("swing_up.png")
print(results)
