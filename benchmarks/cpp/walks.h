// Closed walks of 5 and 6 steps, for sixteen tops at a time.
//
// x_i(v) is the number of walks of i steps from a top a to v below a, with all between below a: x_1 is 1 for the
// lower neighbours, and the next is the sum over neighbours. f_l, the walks of l steps from a back to a that meet a in
// between nowhere, is the sum over v of x_i(v) * x_(l-i)(v) for any i. A closed walk is a round of such pieces at its
// highest vertex, so that those of six steps are 6 f_6 + 6 f_2 f_4 + 3 f_3^2 + 2 f_2^3 for each top, and those of
// five 5 f_5 + 5 f_2 f_3. For the walks from one v, occ_l(v) = the sum over i of x_i(v) * x_(l-i)(v) is how often v is on a
// piece of l steps.
//
// A row of sixteen tops is one line of the cache, and a step of all of them one addition an edge. x_3 is at most 2m,
// so it fits 32 bits.
#pragma once
#include "factors.h"
#pragma GCC diagnostic ignored "-Wpsabi"

static const int LANES = 16;
typedef u32 Row __attribute__((vector_size(64)));
typedef u64 Wide __attribute__((vector_size(128)));

static Wide wide(Row r) { return __builtin_convertvector(r, Wide); }

// Memory of whole cache lines.
template <class T> struct Lines {
  T* at;
  explicit Lines(i32 n) : at((T*)aligned_alloc(128, ((u64)n * sizeof(T) + 127) / 128 * 128)) { memset(at, 0, (u64)n * sizeof(T)); }
  Lines(Lines&& o) : at(o.at) { o.at = nullptr; }
  ~Lines() { free(at); }
  T& operator[](i32 v) { return at[v]; }
};

struct Walks {
  Lines<Row> x2, x3;
  Lines<Wide> x4;
  vector<uint16_t> tops;       // by vertex: which tops it is a neighbour of
  vector<i32> near, two, three;  // the vertices with x_1, x_2, x_3
  vector<uint8_t> seen2, seen3;
  u128 sum = 0;
  Each each;
  Walks(i32 n, bool six, bool grouped)
      : x2(n), x3(n), x4(six && grouped ? n : 1), tops(n, 0), seen2(n, 0), seen3(n, 0), each(grouped ? n : 0, 0) {}
};

// The walks of one batch of tops, [first, last).
template <bool six, bool grouped> static void walk(const Ordered& g, i32 first, i32 last, const vector<u64>& lower, Walks& w) {
  i32 k = last - first;
  u64 reach = 0;
  for (int i = 0; i < k; i++)
    below(g, first + i, [&](u64, i32 b, u64 from, u64 to) {
      if (!w.tops[b]) w.near.push_back(b);
      w.tops[b] |= 1 << i;
      for (u64 r = from; r < to; r++) {
        i32 c = g.adj[r];
        if (!w.seen2[c]) w.seen2[c] = 1, w.two.push_back(c), reach += g.degree(c);
        ((u32*)&w.x2[c])[i]++;
      }
    });
  if (w.two.empty()) {
    // no piece but f_2
  } else if (!six && !grouped) {
    // Each edge of the sum once, from its higher end.
  } else if (!six) {
    for (i32 c : w.two) {
      Row sum = {};
      for (const i32* p = g.begin(c); p < g.end(c) && *p < last; p++) sum += w.x2[*p];
      w.x3[c] = sum;
    }
    w.three = w.two;
  } else if (reach > lower[last] / 2) {
    for (i32 v = 0; v < last; v++) {
      Row sum = {};
      for (const i32* p = g.begin(v); p < g.end(v) && *p < last; p++) sum += w.x2[*p];
      w.x3[v] = sum;
      w.three.push_back(v);
    }
  } else {
    for (i32 c : w.two)
      for (const i32* p = g.begin(c); p < g.end(c) && *p < last; p++) {
        if (!w.seen3[*p]) w.seen3[*p] = 1, w.three.push_back(*p);
        w.x3[*p] += w.x2[c];
      }
  }
  for (i32 v = first; v < last; v++)  // a top is below the later ones only
    for (int i = 0; i <= v - first; i++) ((u32*)&w.x3[v])[i] = 0;

  u64 f2[LANES] = {}, f3[LANES] = {};
  for (int i = 0; i < k; i++) f2[i] = g.mid[first + i] - g.off[first + i];
  for (i32 b : w.near)
    for (u32 m = w.tops[b]; m; m &= m - 1) f3[__builtin_ctz(m)] += ((u32*)&w.x2[b])[__builtin_ctz(m)];
  Wide f4 = {}, f5 = {}, f6 = {};
  if (six)
    for (i32 c : w.two) f4 += wide(w.x2[c]) * wide(w.x2[c]);
  if (six)
    for (i32 v : w.three) f6 += wide(w.x3[v]) * wide(w.x3[v]);
  else if (grouped)
    for (i32 c : w.two) f5 += wide(w.x2[c]) * wide(w.x3[c]);
  else
    for (i32 c : w.two) {
      Row sum = {};
      for (const i32 *p = g.begin(c), *e = g.above(c); p < e; p++) sum += w.x2[*p];
      f5 += 2 * wide(w.x2[c]) * wide(sum);
    }

  if (!grouped)
    for (int i = 0; i < k; i++)
      w.sum += six ? 6 * (u128)f6[i] + 6 * (u128)f2[i] * f4[i] + 3 * (u128)f3[i] * f3[i] + 2 * (u128)f2[i] * f2[i] * f2[i]
                   : 5 * (u128)f5[i] + 5 * (u128)f2[i] * f3[i];
  else {
    Wide round2 = {}, round3 = {}, round4 = {};  // the rounds that fill what a piece leaves of a walk
    for (int i = 0; i < k; i++) {
      round2[i] = f2[i], round3[i] = f3[i], round4[i] = f4[i] + f2[i] * f2[i];
      w.each[first + i] += six ? f6[i] + 2 * f2[i] * f4[i] + f3[i] * f3[i] + f2[i] * f2[i] * f2[i] : f5[i] + 2 * f2[i] * f3[i];
    }
    auto add = [&](i32 v, const Wide& x) { u64 sum = 0; for (int i = 0; i < k; i++) sum += x[i]; w.each[v] += sum; };
    if (six)
      for (i32 c : w.two) {
        Wide sum = {};
        for (const i32* p = g.begin(c); p < g.end(c) && *p < last; p++) sum += wide(w.x3[*p]);
        for (i32 i = 0; c >= first && i <= c - first; i++) sum[i] = 0;
        w.x4[c] = sum;
      }
    for (i32 v : w.three)
      if (six) add(v, wide(w.x3[v]) * wide(w.x3[v]));
    for (i32 c : w.two)
      if (six) add(c, wide(w.x2[c]) * (2 * w.x4[c] + wide(w.x2[c]) * round2));
      else add(c, 2 * wide(w.x2[c]) * wide(w.x3[c]));
    for (i32 b : w.near) {
      Wide sum = {};
      if (six) {
        for (const i32* p = g.begin(b); p < g.end(b) && *p < last; p++) sum += w.x4[*p];
        sum = 2 * sum + 2 * wide(w.x3[b]) * round2 + 2 * wide(w.x2[b]) * round3 + round4;
      } else {
        for (const i32* p = g.begin(b); p < g.end(b) && *p < last; p++) sum += wide(w.x3[*p]);
        sum = 2 * sum + 2 * wide(w.x2[b]) * round2 + round3;
      }
      u64 all = 0;
      for (u32 m = w.tops[b]; m; m &= m - 1) all += sum[__builtin_ctz(m)];
      w.each[b] += all;
    }
  }

  for (i32 b : w.near) w.tops[b] = 0;
  for (i32 v : w.three) w.x3[v] = Row{}, w.seen3[v] = 0;
  for (i32 c : w.two) {
    w.x2[c] = Row{};
    w.seen2[c] = 0;
    if (six && grouped) w.x4[c] = Wide{};
  }
  w.near.clear(), w.two.clear(), w.three.clear();
}

// The closed walks of 5 or 6 steps from each vertex, or their sum.
template <bool six, bool grouped> static Each closed_walks(const Ordered& g, int threads, u128& sum) {
  vector<u64> lower(g.n + 1, 0);  // edges with both ends below, twice
  for (i32 v = 0; v < g.n; v++) lower[v + 1] = lower[v] + 2 * (g.mid[v] - g.off[v]);
  vector<Walks> tasks;
  for (int i = 0; i < threads; i++) tasks.emplace_back(g.n, six, grouped);
  i32 batches = (g.n + LANES - 1) / LANES;
  parallel(tasks, batches, 1, true, [&](Walks& w, i32 s) { walk<six, grouped>(g, s * LANES, min(g.n, (s + 1) * LANES), lower, w); });
  vector<Each> found;
  for (auto& t : tasks) sum += t.sum, found.push_back(move(t.each));
  return sum_of(found);
}
