// References for cliques, harder than ../shared/peers/cpp/marks.cpp.
// usage: cliques <graphdir> <threads> <runs> [query,...]  or  cliques --verify <graphs> [seed]
// build: g++ -O3 -march=native -std=c++17 -pthread
//
// tri, k4, k5: triangles, 4- and 5-cliques. k6 … k10: by pivots. Each clique once; a suffix _a counts those at each vertex.
//
// tri:     hubs apart, after Koohi Esfahani, Kilpatrick and Vandierendonck, "LOTUS: Locality optimizing triangle counting",
//          PPoPP 2022. Most triangles have two hubs. Edges between hubs are bits, so that those of the hubs next to a vertex
//          are the bits in common; a neighbour that is no hub is looked up by marks.
// k4, k5:  the neighbours above a vertex as bits, in an order in which few are above any. After Yuan, Peng, Cheng, Han, Lin,
//          Chen and Zhang, "Efficient k-clique listing with set intersection speedup", ICDE 2022 (BitCol). One
//          with too few others around it for a clique is dropped.
// k6, …:   Jain and Seshadhri, "The power of pivoting for exact clique counting", WSDM 2020. The cliques below a vertex make
//          a tree: a pivot, and the vertices not next to it. A leaf with h held vertices and p pivots stands for
//          C(p, k - h) cliques of k, so that leaves are counted and not cliques.
// Counts of a vertex are checked for 64 bits, sums have 128.
#include <array>
#include "graph.h"

// The lowest degree first, removed, and so on: few are above any.
static vector<i32> by_core(const Graph& g) {
  i32 n = g.n, most = 0;
  vector<i32> degree(n), at(n), id(n);
  for (i32 v = 0; v < n; v++) most = max(most, degree[v] = g.degree(v));
  vector<i32> start(most + 2, 0);
  for (i32 v = 0; v < n; v++) start[degree[v] + 1]++;
  for (i32 d = 0; d <= most; d++) start[d + 1] += start[d];
  for (i32 v = 0; v < n; v++) id[at[v] = start[degree[v]]++] = v;
  for (i32 d = most + 1; d > 0; d--) start[d] = start[d - 1];
  start[0] = 0;
  for (i32 i = 0; i < n; i++) {
    i32 v = id[i];
    for (const i32* p = g.begin(v); p < g.end(v); p++)
      if (degree[*p] > degree[v]) {  // one less: it changes places with the first of its degree
        i32 d = degree[*p]--, to = start[d]++, other = id[to];
        swap(id[at[*p]], id[to]);
        swap(at[*p], at[other]);
      }
  }
  return id;
}

// --- triangles ---------------------------------------------------------------------------------------------------------

static const i32 HUBS = 2048, HUB_WORDS = HUBS / 64;

static Result triangles(const Graph& g0, int threads) {
  Ordered g = in_order(g0, by_degree(g0), false);
  i32 first = max(0, g.n - HUBS);  // hubs are the last ones
  struct Task { vector<uint8_t> mark; u64 count = 0; };
  vector<u64> bits((u64)HUBS * HUB_WORDS, 0);  // of a hub the higher ones
  for (i32 h = first; h < g.n; h++)
    for (const i32* p = g.above(h); p < g.end(h); p++) bits[(u64)(h - first) * HUB_WORDS + (*p - first) / 64] |= 1ull << (*p - first) % 64;
  vector<Task> tasks(threads);
  for (auto& t : tasks) t.mark.assign(g.n, 0);
  parallel(tasks, g.n, 64, true, [&](Task& task, i32 v) {
    const i32 *A = g.above(v), *E = g.end(v);
    if (E - A < 2) return;
    const i32* hub = lower_bound(A, E, first);
    u64 k = 0;
    if (hub < E) {
      u64 own[HUB_WORDS] = {};
      for (const i32* p = hub; p < E; p++) own[(*p - first) / 64] |= 1ull << (*p - first) % 64;
      for (const i32* p = hub; p < E; p++) {
        const u64* row = &bits[(u64)(*p - first) * HUB_WORDS];
        u64 c = 0;
        for (int w = 0; w < HUB_WORDS; w++) c += __builtin_popcountll(row[w] & own[w]);
        k += c;
      }
    }
    if (A < hub) {
      for (const i32* p = A; p < E; p++) task.mark[*p] = 1;
      for (const i32* p = A; p < hub; p++)
        for (const i32* q = g.above(*p); q < g.end(*p); q++) k += task.mark[*q];
      for (const i32* p = A; p < E; p++) task.mark[*p] = 0;
    }
    task.count += k;
  });
  Result r;
  for (auto& t : tasks) r.count += t.count;
  return r;
}

// --- the neighbours above a vertex, as bits ----------------------------------------------------------------------------

struct Local {
  vector<i32> place;             // by vertex: its row, or -1
  vector<i32> vertex;            // by row
  vector<pair<i32, i32>> edges;  // between rows
  vector<i32> around;
  vector<u64> bits;
  i32 rows = 0;
  explicit Local(i32 n) : place(n, -1) {}

  // Reads the neighbours above v; without those that have fewer than least others around.
  void read(const Ordered& g, i32 v, i32 least) {
    const i32* A = g.above(v);
    i32 d = g.end(v) - A;
    rows = 0;
    if (d <= least) return;
    edges.clear();
    around.assign(d, 0);
    for (i32 i = 0; i < d; i++) place[A[i]] = i;
    for (i32 i = 0; i < d; i++)
      for (const i32* p = g.above(A[i]); p < g.end(A[i]); p++)
        if (i32 j = place[*p]; j >= 0) edges.push_back({i, j}), around[i]++, around[j]++;
    vertex.clear();
    for (i32 i = 0; i < d; i++) {
      place[A[i]] = -1;
      if (around[i] < least) around[i] = -1;
      else around[i] = vertex.size(), vertex.push_back(A[i]);
    }
    rows = vertex.size();
    if (rows <= least) rows = 0;
    if (rows == d || !rows) return;
    size_t kept = 0;
    for (auto& e : edges)
      if (around[e.first] >= 0 && around[e.second] >= 0) edges[kept++] = {around[e.first], around[e.second]};
    edges.resize(kept);
  }

  // Rows of W words; each with all its neighbours, or with those of lower rows only.
  template <int W> void fill(bool lower) {
    bits.assign((u64)rows * W, 0);
    for (auto& e : edges) {
      bits[(u64)e.second * W + e.first / 64] |= 1ull << e.first % 64;
      if (!lower) bits[(u64)e.first * W + e.second / 64] |= 1ull << e.second % 64;
    }
  }
};

template <int W> struct Set {
  u64 w[W];
  Set operator&(const Set& o) const { Set r; for (int i = 0; i < W; i++) r.w[i] = w[i] & o.w[i]; return r; }
  i32 size() const { i32 k = 0; for (int i = 0; i < W; i++) k += __builtin_popcountll(w[i]); return k; }
  void drop(i32 x) { w[x / 64] &= ~(1ull << x % 64); }
  void put(i32 x) { w[x / 64] |= 1ull << x % 64; }
  template <class F> void each(F f) const { for (int i = 0; i < W; i++) for (u64 m = w[i]; m; m &= m - 1) f(i * 64 + __builtin_ctzll(m)); }
};

// --- cliques of 4 and 5 ------------------------------------------------------------------------------------------------

struct Task {
  Local local;
  vector<u128> each;
  u128 count = 0;
  Task(i32 n, bool grouped) : local(n), each(grouped ? n : 0, 0) {}
};

template <int W> static void small(Task& t, i32 v, int k, bool grouped) {
  Local& l = t.local;
  l.fill<W>(!grouped);
  const Set<W>* R = (const Set<W>*)l.bits.data();
  u64 sum = 0;
  if (!grouped) {
    for (i32 i = 0; i < l.rows; i++)
      R[i].each([&](i32 j) {
        Set<W> both = R[i] & R[j];
        if (k == 4) sum += both.size();
        else both.each([&](i32 x) { sum += (both & R[x]).size(); });
      });
    t.count += sum;
    return;
  }
  // The cliques on an edge, or on a triangle, among the rows: each is seen at a row twice, or three times.
  vector<u64> at(l.rows, 0);
  for (i32 i = 0; i < l.rows; i++)
    R[i].each([&](i32 j) {
      if (j > i) return;
      Set<W> both = R[i] & R[j];
      if (k == 4) { u64 c = both.size(); at[i] += c, at[j] += c; }
      else both.each([&](i32 x) { if (x > j) return; u64 c = (both & R[x]).size(); at[i] += c, at[j] += c, at[x] += c; });
    });
  for (i32 i = 0; i < l.rows; i++) {
    u64 c = at[i] / (k - 2);
    t.each[l.vertex[i]] += c;
    sum += c;
  }
  t.each[v] += sum / (k - 1);
}

// --- larger ones, by pivots --------------------------------------------------------------------------------------------

static const int MOST = 10;  // k
static vector<array<u128, MOST + 1>> choose_table;

static u128 choose(i32 n, i32 k) { return n < 0 || k < 0 || k > n ? 0 : choose_table[n][k]; }

static void choose_up_to(i32 n) {
  choose_table.assign(n + 1, {});
  for (i32 i = 0; i <= n; i++)
    for (i32 j = 0; j <= min(i, MOST); j++) choose_table[i][j] = j == 0 ? 1 : choose_table[i - 1][j - 1] + (j < i ? choose_table[i - 1][j] : 0);
}

// The cliques below a node, and those of them that have a certain one of its pivots.
struct Found { u128 all, with; };

template <int W, bool grouped> struct Tree {
  const Set<W>* R;
  u128* at;  // by row
  Found below(Set<W> p, i32 size, i32 need, i32 pivots) {
    if (need == 0) return {1, 0};
    if (need == 1) {
      if (grouped) p.each([&](i32 x) { at[x] += 1; });
      return {(u128)(pivots + size), 1};
    }
    if (pivots + size < need) return {0, 0};
    // The pivot is the one with the most around. Those with all around are on every clique or on none: pivots as well.
    i32 best = -1, most = -1;
    Set<W> all = {};
    i32 full = 0;
    u64 ends = 0;
    p.each([&](i32 x) {
      i32 c = (p & R[x]).size();
      ends += c;
      if (c == size - 1) all.put(x), full++;
      else if (c > most) most = c, best = x;
    });
    if (!grouped && need == 2) return {choose(pivots, 2) + (u128)pivots * size + ends / 2, 0};
    pivots += full;
    size -= full;
    Found sum = {0, 0};
    if (size == 0) sum = {choose(pivots, need), choose(pivots - 1, need - 1)};
    else {
      for (int i = 0; i < W; i++) p.w[i] &= ~all.w[i];
      Set<W> others = p;
      for (int i = 0; i < W; i++) others.w[i] &= ~R[best].w[i];
      others.drop(best);
      others.each([&](i32 x) {
        p.drop(x);
        Set<W> next = p & R[x];
        Found f = below(next, next.size(), need - 1, pivots);
        if (grouped) at[x] += f.all;
        sum.all += f.all, sum.with += f.with;
      });
      Set<W> next = p & R[best];
      Found f = below(next, next.size(), need, pivots + 1);
      if (grouped) at[best] += f.with;
      sum.all += f.all, sum.with += f.with;
    }
    if (grouped && full) all.each([&](i32 x) { at[x] += sum.with; });
    return sum;
  }
};

template <int W> static void large(Task& t, i32 v, int k, bool grouped) {
  Local& l = t.local;
  l.fill<W>(false);
  const Set<W>* R = (const Set<W>*)l.bits.data();
  Set<W> p = {};
  for (i32 i = 0; i < l.rows; i++) p.put(i);
  if (!grouped) {
    t.count += Tree<W, false>{R, nullptr}.below(p, l.rows, k - 1, 0).all;
    return;
  }
  vector<u128> at(l.rows, 0);
  t.each[v] += Tree<W, true>{R, at.data()}.below(p, l.rows, k - 1, 0).all;
  for (i32 i = 0; i < l.rows; i++) t.each[l.vertex[i]] += at[i];
}

// ------------------------------------------------------------------------------------------------------------------------

template <int W> static void cliques_above(Task& t, i32 v, int k, bool grouped) { k < 6 ? small<W>(t, v, k, grouped) : large<W>(t, v, k, grouped); }

static Result cliques(const Graph& g0, int k, int threads, bool grouped) {
  Ordered g = in_order(g0, by_core(g0), false);
  u64 most = 0;
  for (i32 v = 0; v < g.n; v++) most = max(most, g.off[v + 1] - g.mid[v]);
  if (most > 2048) { fprintf(stderr, "%llu neighbours above a vertex; at most 2048\n", (unsigned long long)most); exit(3); }
  choose_up_to(most);
  vector<Task> tasks(threads, Task(g.n, grouped));
  parallel(tasks, g.n, 16, true, [&](Task& t, i32 v) {
    t.local.read(g, v, k - 2);
    i32 words = (t.local.rows + 63) / 64;
    if (words == 0) return;
    if (words == 1) cliques_above<1>(t, v, k, grouped);
    else if (words == 2) cliques_above<2>(t, v, k, grouped);
    else if (words <= 4) cliques_above<4>(t, v, k, grouped);
    else if (words <= 8) cliques_above<8>(t, v, k, grouped);
    else cliques_above<32>(t, v, k, grouped);
  });
  Result r;
  if (grouped) r.each.assign(g.n, 0);
  for (auto& t : tasks) {
    r.count += t.count;
    for (i32 v = 0; grouped && v < g.n; v++) r.each[g.id[v]] = narrow(r.each[g.id[v]] + t.each[v]);
  }
  if (grouped) r.total();
  return r;
}

static Result count(const Graph& g, int k, int threads, bool grouped) {
  return k == 3 ? triangles(g, threads) : cliques(g, k, threads, grouped);
}

static int verify(int graphs, unsigned seed) {
  mt19937 random(seed);
  u64 checks = 0;
  for (int i = 0; i < graphs; i++) {
    Graph g = random_graph(random, i % 10 ? 12 : 150);
    if (g.n > 12 && g.adj.size() > (u64)g.n * (g.n < 80 ? 14 : 8)) continue;
    for (int k = 3; k <= MOST; k++) {
      vector<pair<int, int>> edges;
      for (int b = 0; b < k; b++)
        for (int a = 0; a < b; a++) edges.push_back({a, b});
      auto keep = [](const vector<i32>& image) { return image.size() < 3 || image[image.size() - 2] < image.back(); };
      vector<u64> each = Naive{g, edges, k, true, keep, {}, {}}.count();
      u128 sum = 0;
      for (u64 x : each) sum += x;
      for (int threads : {1, 2}) {
        Result one = count(g, k, threads, false);
        bool right = one.count == sum / k;
        if (k > 3) {
          Result all = count(g, k, threads, true);
          right = right && all.count == sum && all.each == each;
          checks++;
        }
        checks++;
        if (!right) { printf("%d-cliques are wrong: graph %d of seed %u\n", k, i, seed); return 1; }
      }
    }
  }
  printf("%llu counts agree with nested loops\n", (unsigned long long)checks);
  return 0;
}

int main(int argc, char** argv) {
  if (argc > 2 && string(argv[1]) == "--verify") return verify(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 1);
  if (argc < 4) { fprintf(stderr, "usage: cliques <graphdir> <threads> <runs> [query,...] | --verify <graphs> [seed]\n"); return 2; }
  string dir = argv[1];
  int threads = atoi(argv[2]), runs = atoi(argv[3]);
  const char* list = argc > 4 ? argv[4] : nullptr;
  Graph g = load(dir + "/u.bin");
  for (int k = 3; k <= MOST; k++)
    for (bool grouped : {false, true}) {
      string name = (k == 3 ? string("tri") : "k" + to_string(k)) + (grouped ? "_a" : "");
      if (k == 3 && grouped) continue;
      if (wanted(list, name)) report("cpp-cliques", dir, name, threads, runs, [&] { return count(g, k, threads, grouped); });
    }
}
