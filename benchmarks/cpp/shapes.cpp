// References for shapes that are counted from smaller counts, from scratch.
// usage: shapes <graphdir> <threads> <runs> [query,...]  or  shapes --verify <graphs> [seed]
// build: g++ -O3 -march=native -std=c++17 -pthread
//
// The shapes, over u; a path back to a closes a cycle:
//   bowtie    (a)(b)(c)(a), (a)(d)(e)(a)        two triangles that meet in a
//   cycle4    (a)(b)(c)(d)(a)                   cycle5, cycle6 likewise
//   diamond   (a)(b), (a)(c)(b), (a)(d)(b)      two triangles on the edge a-b
//   tailtri   (a)(b)(c)(a), (c)(d)              a triangle, and an edge at c
//   tailk4    a, b, c, d joined pairwise, (d)(e)
//   theta     (a)(b)(z), (a)(c)(z), (a)(d)(z)   three 2-paths between a and z
//   house     (a)(b)(c)(d)(a), (a)(e), (b)(e)   a 4-cycle with a roof e over a and b
//   roof      house, where e.id % 2 = 0
// <shape> counts homomorphisms: variables may stand for the same vertex. <shape>_diff counts those where all differ.
// A suffix _a counts for each a (GROUP BY a); without, it is the sum over all.
//
// Notation: d degree; A the adjacency matrix; t(e) triangles on an edge, T(a) on a vertex; w(a,z) 2-paths; z(e) = A^3
// on an edge, the walks of three steps between its ends; s(a) the sum of the neighbours' degrees. Vertices are
// numbered by degree. A walk is counted at its highest vertex ("top"), so that all 2-paths together take the sum over
// edges of the smaller degree. Counts where all differ follow by inclusion and exclusion over the quotients.
//
// A count of one a is at most maxdegree * (2m)^2, for two edges and a neighbour fix each of these shapes. main refuses
// a graph where that exceeds 64 bits; sums over all vertices have 128.
#include "walks.h"

static u64 square(u64 x) { return x * x; }

// What a query asks for, and the graph in order.
struct Query {
  const Ordered& g;
  int threads;
  bool different, grouped;

  template <class F> Result result(F of) const {
    Result r;
    if (grouped) r.each.resize(g.n);
    for (i32 a = 0; a < g.n; a++) {
      u64 k = of(a);
      r.count += k;
      if (grouped) r.each[g.id[a]] = k;
    }
    return r;
  }
  u64 d(i32 v) const { return g.degree(v); }
  Each degrees(int power) const {  // the sum over neighbours of degree^power
    Each s(g.n);
    for (i32 a = 0; a < g.n; a++) s[a] = around(g, a, [&](u64 p) { return power == 1 ? d(g.adj[p]) : square(d(g.adj[p])); });
    return s;
  }
  Each over(const Each& x) const {  // the sum over neighbours
    Each s(g.n);
    for (i32 a = 0; a < g.n; a++) s[a] = around(g, a, [&](u64 p) { return x[g.adj[p]]; });
    return s;
  }
};

// --- shapes ----------------------------------------------------------------------------------------------------------

// Of T(a) edges among the neighbours of a take two, in both directions; those that share an end are not different.
static Result bowtie(const Query& q) {
  if (!q.different) {
    Each T = triangles_at(q.g, q.threads);
    return q.result([&](i32 a) { return 4 * square(T[a]); });
  }
  vector<u32> t = triangles_on(q.g, q.threads, false);
  Each T = triangles_at(q.g, t);
  return q.result([&](i32 a) { return 4 * (square(T[a]) - T[a] - around(q.g, a, [&](u64 p) { return (u64)t[p] * (t[p] - 1ll); })); });
}

static Result cycle4(const Query& q) {
  const Ordered& g = q.g;
  vector<Wedges> tasks(q.threads, Wedges(g.n));
  if (q.grouped)
    for (auto& t : tasks) t.each.assign(g.n, 0);
  parallel(tasks, g.n, 16, true, [&](Wedges& w, i32 a) {
    if (!q.grouped) {  // k 2-paths to the same vertex are k (k - 1) / 2 cycles
      u64 k = 0;
      below(g, a, [&](u64, i32, u64 from, u64 to) { for (u64 r = from; r < to; r++) k += w.paths[g.adj[r]]++; });
      w.sum += k;
      clear_paths(g, a, w.paths);
      return;
    }
    count_paths(g, a, w.paths);
    below(g, a, [&](u64, i32 b, u64 from, u64 to) {
      u64 sum = 0;
      for (u64 r = from; r < to; r++) sum += w.paths[g.adj[r]];
      w.each[b] += 2 * (sum - (to - from));
    });
    below(g, a, [&](u64, i32, u64 from, u64 to) {
      for (u64 r = from; r < to; r++)
        if (u64 k = w.paths[g.adj[r]]) w.each[a] += k * (k - 1), w.each[g.adj[r]] += k * (k - 1), w.paths[g.adj[r]] = 0;
    });
  });
  u128 cycles = 0;
  vector<Each> found;
  for (auto& t : tasks) cycles += t.sum, found.push_back(move(t.each));
  Each each = sum_of(found), s = q.degrees(1);
  // The other walks go back at once, or to a neighbour twice.
  Result r = q.result([&](i32 a) { return (q.grouped ? each[a] : 0) + (q.different ? 0 : square(q.d(a)) + s[a] - q.d(a)); });
  r.count += 8 * cycles;
  return r;
}

static Result cycle5(const Query& q) {
  Result r;
  u128 sum = 0;
  Each walks = q.grouped ? closed_walks<false, true>(q.g, q.threads, sum) : closed_walks<false, false>(q.g, q.threads, sum);
  if (!q.different) {
    if (q.grouped) r = q.result([&](i32 a) { return walks[a]; });
    else r.count = sum;
    return r;
  }
  // Of the walks that are no cycles, each is a triangle, or a triangle with an edge at one of its vertices.
  vector<u32> t = triangles_on(q.g, q.threads, false);
  Each T = triangles_at(q.g, t);
  Result less = q.result([&](i32 a) {
    u64 d = q.d(a), k = T[a] ? 4 * T[a] * (d - 2) + 10 * T[a] : 0;
    return k + around(q.g, a, [&](u64 p) { i32 b = q.g.adj[p]; return 2 * t[p] * (q.d(b) - 2) + 2 * (T[b] - t[p]); });
  });
  if (!q.grouped) return r.count = sum - less.count, r;
  for (i32 v = 0; v < q.g.n; v++) less.each[q.g.id[v]] = walks[v] - less.each[q.g.id[v]];
  less.count = 0;
  less.total();
  return less;
}

static Result cycle6(const Query& q) {
  const Ordered& g = q.g;
  Result r;
  u128 sum = 0;
  Each walks = q.grouped ? closed_walks<true, true>(g, q.threads, sum) : closed_walks<true, false>(g, q.threads, sum);
  if (!q.different) {
    if (q.grouped) r = q.result([&](i32 a) { return walks[a]; });
    else r.count = sum;
    return r;
  }
  vector<u32> t = triangles_on(g, q.threads, false), z = walks_on(g, q.threads);
  Each T = triangles_at(g, t), s = q.degrees(1), s2 = q.degrees(2), p3 = q.over(s), h4(g.n);
  for (i32 a = 0; a < g.n; a++) h4[a] = around(g, a, [&](u64 p) { return z[p]; });
  Each h4s = q.over(h4);
  vector<Each> tasks(q.threads, Each(g.n, 0));
  triangles(g, tasks, [&](Each& k, i32 u, u64 x, u64 y, u64 e) { k[u] += t[e], k[g.adj[x]] += t[y], k[g.adj[y]] += t[x]; });
  Each opposite = sum_of(tasks), weighed(g.n);
  // 4-walks, weighed by the degree of the vertex opposite. Of all together it is that of the first.
  if (q.grouped) weighed = opposite_degrees(g, q.threads);
  for (i32 a = 0; a < g.n; a++) {
    u64 d = q.d(a);
    weighed[a] = q.grouped ? weighed[a] + p3[a] - d * d + d * d * d : h4[a] * d;
  }
  // In the order of the quotients: one pair of vertices two apart, or three apart; two pairs; three vertices; …
  auto less = [&](i32 a) {
    __int128 d = q.d(a), k = 2 * d * h4[a] + weighed[a] + h4s[a] + 4 * (__int128)T[a] * T[a];
    for (u64 p = g.off[a]; p < g.off[a + 1]; p++) {
      i32 b = g.adj[p];
      k += 2 * (__int128)z[p] * q.d(b) + 4 * (__int128)t[p] * T[b] - 6 * (__int128)t[p] * t[p];
    }
    k -= 6 * (__int128)h4[a] + 2 * d * s[a] + p3[a] + 6 * (__int128)opposite[a];
    return k - 2 * d * d * d - 2 * (__int128)s2[a] + 6 * d * d + 6 * (__int128)s[a] - 4 * d + 8 * (__int128)T[a];
  };
  if (q.grouped) return q.result([&](i32 a) { return (u64)(walks[a] - less(a)); });
  for (i32 a = 0; a < g.n; a++) sum -= less(a);
  r.count = sum;
  return r;
}

static Result tailtri(const Query& q) {
  u64 less = q.different ? 2 : 0;
  if (!q.grouped) {
    Each T = triangles_at(q.g, q.threads);
    return q.result([&](i32 c) { return 2 * T[c] * (q.d(c) - less); });
  }
  vector<u32> t = triangles_on(q.g, q.threads, false);
  return q.result([&](i32 a) { return around(q.g, a, [&](u64 p) { return t[p] * (q.d(q.g.adj[p]) - less); }); });
}

// The neighbours above x as a bit matrix. n_ij common ones of the edge i-j are triangles, with x 4-cliques: the sum over
// j of n_ij counts those at i twice, and that of n_ij d(j) counts both of their other degrees.
static Result tailk4(const Query& q) {
  const Ordered& g = q.g;
  struct Task { vector<i32> local; vector<u64> bits; Each each; };
  vector<Task> tasks(q.threads);
  for (auto& t : tasks) t.local.assign(g.n, -1), t.each.assign(g.n, 0);
  u64 less = q.different ? 3 : 0;
  parallel(tasks, g.n, 16, true, [&](Task& task, i32 x) {
    const i32* A = g.above(x);
    i32 k = g.end(x) - A, words = (k + 511) / 512 * 8;
    if (k < 3) return;
    task.bits.assign((u64)k * words, 0);
    for (i32 i = 0; i < k; i++) task.local[A[i]] = i;
    for (i32 i = 0; i < k; i++)
      for (const i32* p = g.above(A[i]); p < g.end(A[i]); p++)
        if (i32 j = task.local[*p]; j >= 0) {
          task.bits[(u64)i * words + j / 64] |= 1ull << j % 64;
          task.bits[(u64)j * words + i / 64] |= 1ull << i % 64;
        }
    u64 dx = q.d(x) - less;
    for (i32 i = 0; i < k; i++) {
      const u64* R = &task.bits[(u64)i * words];
      u64 di = q.d(A[i]) - less;
      for (i32 z = i / 64; z < words; z++)
        for (u64 m = z == i / 64 ? R[z] & (~0ull << i % 64) : R[z]; m; m &= m - 1) {
          i32 j = z * 64 + __builtin_ctzll(m);
          const u64* S = &task.bits[(u64)j * words];
          u64 n = 0, dj = q.d(A[j]) - less;
          for (i32 y = 0; y < words; y++) n += __builtin_popcountll(R[y] & S[y]);
          // Twice each: dx once for i and for j a clique, the other's degree, and both of them for x.
          task.each[A[i]] += n * (dx + 2 * dj);
          task.each[A[j]] += n * (dx + 2 * di);
          task.each[x] += n * (di + dj);
        }
    }
    for (i32 i = 0; i < k; i++) task.local[A[i]] = -1;
  });
  vector<Each> found;
  for (auto& t : tasks) found.push_back(move(t.each));
  Each each = sum_of(found);
  return q.result([&](i32 a) { return each[a]; });
}

static Result theta(const Query& q) {
  const Ordered& g = q.g;
  vector<Wedges> tasks(q.threads, Wedges(g.n));
  for (auto& t : tasks) t.each.assign(g.n, 0);
  parallel(tasks, g.n, 16, true, [&](Wedges& w, i32 a) {
    for (u64 p = g.off[a]; p < g.off[a + 1]; p++)
      for (const i32* c = g.begin(g.adj[p]); *c < a; c++) w.paths[*c]++;
    auto value = [&](u64 k) { return q.different ? (k > 2 ? k * (k - 1) * (k - 2) : 0) : k * k * k; };
    u64 own = 0;
    for (i32 c = 0; c < a; c++)
      if (u64 k = w.paths[c]) {
        k = value(k);
        own += k;
        w.each[c] += k;
        w.paths[c] = 0;
      }
    w.each[a] += own + (q.different ? 0 : q.d(a) * q.d(a) * q.d(a));
  });
  vector<Each> found;
  for (auto& t : tasks) found.push_back(move(t.each));
  Each each = sum_of(found);
  return q.result([&](i32 a) { return each[a]; });
}

// A triangle and a 4-cycle on the edge a-b. Where the roof e is c, d is a common neighbour of a and c other than b; likewise
// where it is d. Without a group these are the pairs of triangles on an edge that e is an end of.
static Result houses(const Query& q, bool even) {
  const Ordered& g = q.g;
  vector<u32> z = walks_on(g, q.threads), t = triangles_on(g, q.threads, even);
  if (!q.different) return q.result([&](i32 a) { return around(g, a, [&](u64 p) { return (u64)t[p] * z[p]; }); });
  vector<u32> all = even ? triangles_on(g, q.threads, false) : t;
  auto kept = [&](i32 e) -> u64 { return even ? ~g.id[e] & 1 : 1; };
  Each less(g.n, 0);
  u128 less_in_all = 0;
  if (q.grouped) {
    vector<Each> tasks(q.threads, less);
    triangles(g, tasks, [&](Each& k, i32 u, u64 x, u64 y, u64 e) {
      i32 v = g.adj[x], w = g.adj[y];
      u64 top = kept(w) * (all[y] + all[e] - 2), middle = kept(v) * (all[x] + all[e] - 2), low = kept(u) * (all[x] + all[y] - 2);
      k[u] += top + middle, k[v] += top + low, k[w] += middle + low;
    });
    less = sum_of(tasks);
  } else
    for (i32 e = 0; e < g.n; e++) less_in_all += 2 * kept(e) * around(g, e, [&](u64 p) { return (u64)all[p] * (all[p] - 1ll); });
  Result r = q.result([&](i32 a) {
    return around(g, a, [&](u64 p) { return t[p] * (z[p] - q.d(a) - q.d(g.adj[p]) + 1); }) - less[a];
  });
  r.count -= less_in_all;
  return r;
}

static Result diamond(const Query& q) {
  vector<u32> t = triangles_on(q.g, q.threads, false);
  return q.result([&](i32 a) { return around(q.g, a, [&](u64 p) { return (u64)t[p] * (t[p] - (q.different && t[p])); }); });
}

struct Shape {
  const char* name;
  int size;
  vector<pair<int, int>> edges;
  Result (*count)(const Query&);
  int even = -1;  // the variable whose id has to be
};

static const vector<Shape> SHAPES = {
    {"bowtie", 5, {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {3, 4}, {0, 4}}, bowtie},
    {"cycle4", 4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, cycle4},
    {"cycle5", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}}, cycle5},
    {"cycle6", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}, cycle6},
    {"diamond", 4, {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}}, diamond},
    {"tailtri", 4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}, tailtri},
    {"tailk4", 5, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {3, 4}}, tailk4},
    {"theta", 5, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}}, theta},
    {"house", 5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}}, [](const Query& q) { return houses(q, false); }},
    {"roof", 5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}}, [](const Query& q) { return houses(q, true); }, 4},
};

static Result count(const Graph& g, const Shape& shape, int threads, bool different, bool grouped) {
  Ordered o = in_order(g, by_degree(g), true);
  return shape.count({o, threads, different, grouped});
}

static int verify(int graphs, unsigned seed) {
  mt19937 random(seed);
  u64 checks = 0;
  for (int i = 0; i < graphs; i++) {
    Graph g = random_graph(random, i % 10 ? 8 : 40);
    for (auto& s : SHAPES) {
      if (g.n > 8 && g.adj.size() > 160) continue;
      for (bool different : {false, true}) {
        auto keep = [&s](const vector<i32>& image) { return (int)image.size() != s.even + 1 || image.back() % 2 == 0; };
        vector<u64> each = Naive{g, s.edges, s.size, different, keep, {}, {}}.count();
        u128 sum = 0;
        for (u64 x : each) sum += x;
        for (int threads : {1, 2}) {
          Result one = count(g, s, threads, different, false), all = count(g, s, threads, different, true);
          checks += 2;
          if (one.count != sum || all.count != sum || all.each != each) {
            printf("%s%s is wrong: graph %d of seed %u\n", s.name, different ? "_diff" : "", i, seed);
            return 1;
          }
        }
      }
    }
  }
  printf("%llu counts agree with nested loops\n", (unsigned long long)checks);
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 2 && string(argv[1]) == "--verify") return verify(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 1);
  if (argc < 4) { fprintf(stderr, "usage: shapes <graphdir> <threads> <runs> [query,...] | --verify <graphs> [seed]\n"); return 2; }
  string dir = argv[1];
  int threads = atoi(argv[2]), runs = atoi(argv[3]);
  const char* list = argc > 4 ? argv[4] : nullptr;
  Graph g = load(dir + "/u.bin");
  u64 most = 0;
  for (i32 v = 0; v < g.n; v++) most = max(most, g.degree(v));
  narrow((u128)most * g.adj.size() * g.adj.size());
  for (auto& s : SHAPES)
    for (bool different : {false, true})
      for (bool grouped : {false, true}) {
        string name = string(s.name) + (different ? "_diff" : "") + (grouped ? "_a" : "");
        if (wanted(list, name)) report("cpp-shapes", dir, name, threads, runs, [&] { return count(g, s, threads, different, grouped); });
      }
}
