// Factors: counts by vertex or by edge, from which those of larger shapes follow. The notation is that of shapes.cpp.
#pragma once
#include "graph.h"

typedef vector<u64> Each;  // by number of a vertex

template <class T> static vector<T> sum_of(vector<vector<T>>& tasks) {
  for (size_t i = 1; i < tasks.size(); i++)
    for (size_t v = 0; v < tasks[0].size(); v++) tasks[0][v] += tasks[i][v];
  return move(tasks[0]);
}

// The sum over a's edges of f(position).
template <class F> static u64 around(const Ordered& g, i32 a, F f) {
  u64 k = 0;
  for (u64 p = g.off[a]; p < g.off[a + 1]; p++) k += f(p);
  return k;
}

// f(task, u, p, q, r) for each triangle u < v < x, with the positions of uv, ux and vx.
template <class Task, class F> static void triangles(const Ordered& g, vector<Task>& tasks, F f) {
  struct Own { Task* task; vector<u32> at; };
  vector<Own> own;
  for (auto& t : tasks) own.push_back({&t, vector<u32>(g.n, 0)});
  parallel(own, g.n, 64, true, [&](Own& o, i32 u) {
    u64 m = g.mid[u], e = g.off[u + 1];
    if (e - m < 2) return;
    for (u64 p = m; p < e; p++) o.at[g.adj[p]] = p - m + 1;
    for (u64 p = m; p < e; p++) {
      i32 v = g.adj[p];
      for (u64 r = g.mid[v]; r < g.off[v + 1]; r++)
        if (u32 k = o.at[g.adj[r]]) f(*o.task, u, p, m + k - 1, r);
    }
    for (u64 p = m; p < e; p++) o.at[g.adj[p]] = 0;
  });
}

static Each triangles_at(const Ordered& g, int threads) {
  vector<Each> tasks(threads, Each(g.n, 0));
  triangles(g, tasks, [&](Each& T, i32 u, u64 p, u64 q, u64) { T[u]++, T[g.adj[p]]++, T[g.adj[q]]++; });
  return sum_of(tasks);
}

static Each triangles_at(const Ordered& g, const vector<u32>& t) {  // each was seen on two edges
  Each T(g.n);
  for (i32 a = 0; a < g.n; a++) T[a] = around(g, a, [&](u64 p) { return t[p]; }) / 2;
  return T;
}

// What was found in one direction of an edge or in the other.
static vector<u32> both_ways(const Ordered& g, vector<vector<u32>>& tasks) {
  vector<u32> one = sum_of(tasks), sum(one.size());
  for (u64 p = 0; p < sum.size(); p++) sum[p] = one[p] + one[g.twin[p]];
  return sum;
}

// t by position: of all triangles, or of those whose third vertex has an even id.
static vector<u32> triangles_on(const Ordered& g, int threads, bool even) {
  vector<vector<u32>> tasks(threads, vector<u32>(g.adj.size(), 0));
  if (even)
    triangles(g, tasks, [&](vector<u32>& t, i32 u, u64 p, u64 q, u64 r) {
      t[p] += ~g.id[g.adj[q]] & 1;
      t[q] += ~g.id[g.adj[p]] & 1;
      t[r] += ~g.id[u] & 1;
    });
  else
    triangles(g, tasks, [](vector<u32>& t, i32, u64 p, u64 q, u64 r) { t[p]++, t[q]++, t[r]++; });
  return both_ways(g, tasks);
}

// 2-paths from the vertex at hand, by where they end.
struct Wedges {
  vector<u32> paths;
  vector<u64> more;
  vector<u32> edge;
  Each each;
  u128 sum = 0;
  explicit Wedges(i32 n) : paths(n, 0) {}
};

// f(p, b, from, to) for each b below a at p, with the range of positions of b's neighbours below a.
template <class F> static void below(const Ordered& g, i32 a, F f) {
  for (u64 p = g.off[a]; p < g.mid[a]; p++) f(p, g.adj[p], g.off[g.adj[p]], (u64)g.twin[p]);
}

static void count_paths(const Ordered& g, i32 a, vector<u32>& paths) {
  below(g, a, [&](u64, i32, u64 from, u64 to) { for (u64 r = from; r < to; r++) paths[g.adj[r]]++; });
}

static void clear_paths(const Ordered& g, i32 a, vector<u32>& paths) {
  below(g, a, [&](u64, i32, u64 from, u64 to) { for (u64 r = from; r < to; r++) paths[g.adj[r]] = 0; });
}

// z by position. From a top, the other 2-paths to where one ends make the 4-cycles on its two edges.
static vector<u32> walks_on(const Ordered& g, int threads) {
  vector<Wedges> tasks(threads, Wedges(g.n));
  for (auto& t : tasks) t.edge.assign(g.adj.size(), 0);
  parallel(tasks, g.n, 16, true, [&](Wedges& w, i32 a) {
    count_paths(g, a, w.paths);
    below(g, a, [&](u64 p, i32, u64 from, u64 to) {
      u32 sum = 0;
      for (u64 r = from; r < to; r++) {
        u32 others = w.paths[g.adj[r]] - 1;
        w.edge[r] += others;
        sum += others;
      }
      w.edge[p] += sum;
    });
    clear_paths(g, a, w.paths);
  });
  vector<vector<u32>> found;
  for (auto& t : tasks) found.push_back(move(t.edge));
  vector<u32> z = both_ways(g, found);
  for (i32 a = 0; a < g.n; a++)
    for (u64 p = g.off[a]; p < g.off[a + 1]; p++) z[p] += g.degree(a) + g.degree(g.adj[p]) - 1;
  return z;
}

// For each vertex the 4-cycles it is on, in both directions and each weighed by the degree of the vertex opposite.
static Each opposite_degrees(const Ordered& g, int threads) {
  vector<Wedges> tasks(threads, Wedges(g.n));
  for (auto& t : tasks) t.each.assign(g.n, 0), t.more.assign(g.n, 0);
  parallel(tasks, g.n, 16, true, [&](Wedges& w, i32 a) {
    below(g, a, [&](u64, i32 b, u64 from, u64 to) {
      for (u64 r = from; r < to; r++) w.paths[g.adj[r]]++, w.more[g.adj[r]] += g.degree(b);
    });
    below(g, a, [&](u64, i32 b, u64 from, u64 to) {
      for (u64 r = from; r < to; r++) w.each[b] += 2 * (w.more[g.adj[r]] - g.degree(b));
    });
    below(g, a, [&](u64, i32, u64 from, u64 to) {
      for (u64 r = from; r < to; r++) {
        i32 c = g.adj[r];
        u64 k = w.paths[c];
        if (!k) continue;
        w.each[a] += k * (k - 1) * g.degree(c);
        w.each[c] += k * (k - 1) * g.degree(a);
        w.paths[c] = w.more[c] = 0;
      }
    });
  });
  vector<Each> found;
  for (auto& t : tasks) found.push_back(move(t.each));
  return sum_of(found);
}
