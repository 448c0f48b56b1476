// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

// The inner loops of SparseSolver on one panel: `columns` columns of `lanes`·4 entries, one after the other in memory, each
// with its rows in the square part first, then the rows below, then zeros. Vectors of four are held in registers; heights
// are template parameters, so that every loop over lanes is unrolled.
namespace bricard::panel {

inline constexpr int kLanes = 4;
using Four = double __attribute__((vector_size(32), may_alias));
using Mask = long long __attribute__((vector_size(32), may_alias));

inline Four& at(double* x) { return *reinterpret_cast<Four*>(x); }
inline const Four& at(const double* x) { return *reinterpret_cast<const Four*>(x); }
using FourAnywhere = double __attribute__((vector_size(32), may_alias, aligned(8)));
inline Four load_unaligned(const double* x) { return *reinterpret_cast<const FourAnywhere*>(x); }
inline void store_unaligned(double* x, Four v) { *reinterpret_cast<FourAnywhere*>(x) = v; }

/// The first `count` entries, zeros for the others.
inline Four keep(Four x, int count) {
  const Mask mask = (Mask{0, 1, 2, 3} < static_cast<long long>(count));
  return reinterpret_cast<Four>(reinterpret_cast<Mask>(x) & mask);
}

/// Zeros for the first `count` entries.
inline Four drop(Four x, int count) {
  const Mask mask = (Mask{0, 1, 2, 3} >= static_cast<long long>(count));
  return reinterpret_cast<Four>(reinterpret_cast<Mask>(x) & mask);
}

/// Column k of a panel becomes l = a/d: zeros up to the diagonal (above its lane nothing is ever read).
inline void finish_column(double* column, double inverse, int k, int stride) {
  const int first = k & ~(kLanes - 1);
  at(column + first) = drop(inverse * at(column + first), k - first + 1);
  for (int i = first + kLanes; i < stride; i += kLanes) at(column + i) *= inverse;
}

/// σ ← σ + max(0, l u d) for the rows after column k
inline void add_strength(double* strength, const double* l, const double* u, double d, int k, int stride) {
  for (int i = k & ~(kLanes - 1); i < stride; i += kLanes) {
    const Four part = d * at(l + i) * at(u + i);
    at(strength + i) += part > 0 ? part : Four{};
  }
}

/// Sums of the entries of four vectors.
inline Four sums(Four a, Four b, Four c, Four d) {
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

/// One panel of a triangular factor and the unknowns it belongs to.
struct Triangle {
  const double* L;               ///< entries on and above the diagonal are zero
  const double* inverse_pivots;  ///< of its columns
  const int* unknowns;           ///< of its rows, padded; those of the columns follow each other
  int columns, below;
};

alignas(32) inline constexpr std::array<double, 32> kNoColumn{};

/// w ← D⁻¹ L⁻¹ w for the columns of the panel; the rows below take their part.
template <int lanes>
void forward(const Triangle& p, double* w) {
  constexpr int stride = lanes * kLanes;
  double* own = w + p.unknowns[0];
  Four z[lanes];
#pragma GCC unroll 8
  for (int n = 0; n < lanes; ++n) {
    if ((n + 1) * kLanes <= p.columns) z[n] = load_unaligned(own + n * kLanes);
    else if (n * kLanes < p.columns) z[n] = keep(load_unaligned(own + n * kLanes), p.columns - n * kLanes);
    else z[n] = Four{};
  }
#pragma GCC unroll 32
  for (int k = 0; k < stride; ++k) {
    if (k >= p.columns) break;
    const double z_k = z[k / kLanes][k % kLanes];
#pragma GCC unroll 8
    for (int n = k / kLanes; n < lanes; ++n) z[n] -= z_k * at(p.L + k * stride + n * kLanes);
  }
  alignas(32) double done[stride];
#pragma GCC unroll 8
  for (int n = 0; n < lanes; ++n) at(done + n * kLanes) = z[n];
  for (int i = 0; i < p.columns; ++i) own[i] = done[i] * p.inverse_pivots[i];
  const int* rows = p.unknowns + p.columns;
  for (int i = 0; i < p.below; ++i) w[rows[i]] += done[p.columns + i];
}

/// w ← U⁻¹ w for the columns of the panel, rows of U kept as columns: four at a time, first what the rows after the four
/// give, then the four among themselves.
template <int lanes>
void backward(const Triangle& p, double* w) {
  constexpr int stride = lanes * kLanes;
  const int* unknowns = p.unknowns;
  double* own = w + unknowns[0];
  Four z[lanes];
#pragma GCC unroll 8
  for (int n = 0; n < lanes; ++n) {
    const int* u = unknowns + n * kLanes;
    z[n] = Four{w[u[0]], w[u[1]], w[u[2]], w[u[3]]};
  }
#pragma GCC unroll 8
  for (int g = lanes - 1; g >= 0; --g) {
    const int first = g * kLanes;
    if (first >= p.columns) continue;
    const double* u0 = p.L + first * stride;
    const double* u1 = first + 1 < p.columns ? u0 + stride : kNoColumn.data();
    const double* u2 = first + 2 < p.columns ? u0 + 2 * stride : kNoColumn.data();
    const double* u3 = first + 3 < p.columns ? u0 + 3 * stride : kNoColumn.data();
    Four s0{}, s1{}, s2{}, s3{};
#pragma GCC unroll 8
    for (int n = g + 1; n < lanes; ++n) {
      s0 += at(u0 + n * kLanes) * z[n];
      s1 += at(u1 + n * kLanes) * z[n];
      s2 += at(u2 + n * kLanes) * z[n];
      s3 += at(u3 + n * kLanes) * z[n];
    }
    const Four rest = z[g] - sums(s0, s1, s2, s3);
    const double z3 = rest[3];
    const double z2 = rest[2] - u2[first + 3] * z3;
    const double z1 = rest[1] - u1[first + 3] * z3 - u1[first + 2] * z2;
    const double z0 = rest[0] - u0[first + 3] * z3 - u0[first + 2] * z2 - u0[first + 1] * z1;
    z[g] = Four{z0, z1, z2, z3};
  }
#pragma GCC unroll 8
  for (int n = 0; n < lanes; ++n) {
    if ((n + 1) * kLanes <= p.columns) store_unaligned(own + n * kLanes, z[n]);
    else
      for (int i = n * kLanes; i < p.columns; ++i) own[i] = z[n][i % kLanes];
  }
}

/// L₂₁ D U₁₂ of a panel: columns of X and F with `stride` entries each, columns of C with `height`. Blocks of C are written
/// from row `begin` on. X may be read a little beyond its end.
struct Product {
  double* C;
  const double *X, *F, *d;
  int height, stride, columns;
};

/// m lanes of w neighbouring columns of C, sums kept in registers.
template <int m, int w>
inline void product_of_lanes(const Product& p, int begin, int column) {
  Four sum[w][m]{};
  const double* x = p.X + begin;
  const double* factor = p.F + column;
  for (int k = 0; k < p.columns; ++k, x += p.stride, factor += p.stride) {
    double f[w];
    for (int c = 0; c < w; ++c) f[c] = factor[c] * p.d[k];
#pragma GCC unroll 6
    for (int n = 0; n < m; ++n) {
      const Four lane = load_unaligned(x + n * kLanes);
#pragma GCC unroll 3
      for (int c = 0; c < w; ++c) sum[c][n] += f[c] * lane;
    }
  }
  double* to = p.C + begin + column * p.height;
#pragma GCC unroll 3
  for (int c = 0; c < w; ++c)
#pragma GCC unroll 6
    for (int n = 0; n < m; ++n) at(to + c * p.height + n * kLanes) = sum[c][n];
}

/// Some columns of C from the lane of the first one's diagonal on, three at a time (bodies have six, hinges five). Two
/// columns more may be written.
inline void compute_columns(const Product& p, int column, int columns) {
  for (int j = column; j < column + columns; j += 3)
    for (int begin = column & ~(kLanes - 1); begin < p.height; begin += 6 * kLanes) {
      switch (std::min(6, (p.height - begin) / kLanes)) {
        case 1: product_of_lanes<1, 3>(p, begin, j); break;
        case 2: product_of_lanes<2, 3>(p, begin, j); break;
        case 3: product_of_lanes<3, 3>(p, begin, j); break;
        case 4: product_of_lanes<4, 3>(p, begin, j); break;
        case 5: product_of_lanes<5, 3>(p, begin, j); break;
        default: product_of_lanes<6, 3>(p, begin, j);
      }
    }
}

/// y ← y − x
inline void subtract(double* __restrict y, const double* __restrict x, int count) {
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) store_unaligned(y + i, load_unaligned(y + i) - load_unaligned(x + i));
  for (; i < count; ++i) y[i] -= x[i];
}

/// Triangular solutions for panels of any height.
inline void forward_tall(const Triangle& p, int stride, double* w, double* z) {
  double* own = w + p.unknowns[0];
  for (int i = 0; i < p.columns; ++i) z[i] = own[i];
  for (int i = p.columns; i < stride; ++i) z[i] = 0;
  for (int k = 0; k < p.columns; ++k) {
    const double* l = p.L + k * stride;
    for (int i = k & ~(kLanes - 1); i < stride; i += kLanes) at(z + i) -= z[k] * at(l + i);
  }
  for (int i = 0; i < p.columns; ++i) own[i] = z[i] * p.inverse_pivots[i];
  for (int i = p.columns; i < p.columns + p.below; ++i) w[p.unknowns[i]] += z[i];
}

inline void backward_tall(const Triangle& p, int stride, double* w, double* z) {
  for (int i = 0; i < stride; ++i) z[i] = w[p.unknowns[i]];
  for (int k = p.columns - 1; k >= 0; --k) {
    const double* u = p.L + k * stride;
    Four sum{};
    for (int i = k & ~(kLanes - 1); i < stride; i += kLanes) sum += at(u + i) * at(z + i);
    z[k] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  double* own = w + p.unknowns[0];
  for (int i = 0; i < p.columns; ++i) own[i] = z[i];
}

}  // namespace bricard::panel
