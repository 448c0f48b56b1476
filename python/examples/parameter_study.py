# SPDX-License-Identifier: Apache-2.0
"""How far the rocker of a four-bar linkage swings, for cranks of different length.

    python3 python/examples/parameter_study.py
"""
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import bricard

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
cranks = np.linspace(0.15, 0.35, 5)
swings = []
figure, (motion, study) = plt.subplots(1, 2, figsize=(9, 4))
for crank in cranks:
    model = bricard.load(MODELS / "four_bar.yaml", crank=crank)
    results = model.run(duration=1, step=1e-3, output_step=1e-3)
    swings.append(np.ptp(results["D.angle"]))
    results.plot("D.angle", ax=motion, label=f"crank {crank:.2f} m")

study.plot(cranks, np.degrees(swings), "o-")
study.set_xlabel("length of the crank [m]")
study.set_ylabel("swing of the rocker [°]")
figure.tight_layout()
figure.savefig("parameter_study.png")
