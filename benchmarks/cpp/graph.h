// What the references share: a graph in memory, an order of its vertices, threads, and how a run is reported.
//
// The index (u, both directions of each edge, lists sorted by id) is resident as an index of an engine would be.
// All else is timed: the order, the lists in that order, each factor.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>
using namespace std;
typedef int32_t i32;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

struct Graph {
  i32 n = 0;
  vector<u64> off;
  vector<i32> adj;
  u64 degree(i32 v) const { return off[v + 1] - off[v]; }
  const i32* begin(i32 v) const { return adj.data() + off[v]; }
  const i32* end(i32 v) const { return adj.data() + off[v + 1]; }
};

static Graph graph_of(const vector<i32>& e, i32 n) {  // pairs, both directions of each edge
  Graph g;
  g.n = n;
  g.off.assign(n + 1, 0);
  for (u64 i = 0; i < e.size(); i += 2) g.off[e[i] + 1]++;
  for (i32 v = 0; v < n; v++) g.off[v + 1] += g.off[v];
  g.adj.resize(e.size() / 2);
  vector<u64> at(g.off.begin(), g.off.end() - 1);
  for (u64 i = 0; i < e.size(); i += 2) g.adj[at[e[i]]++] = e[i + 1];
  for (i32 v = 0; v < n; v++) sort(g.adj.begin() + g.off[v], g.adj.begin() + g.off[v + 1]);
  return g;
}

static Graph load(const string& path) {
  FILE* f = fopen(path.c_str(), "rb");
  if (!f) { perror(path.c_str()); exit(1); }
  fseek(f, 0, SEEK_END);
  vector<i32> e(ftell(f) / 4);
  rewind(f);
  if (fread(e.data(), 4, e.size(), f) != e.size()) exit(1);
  fclose(f);
  i32 n = 0;
  for (i32 x : e) n = max(n, x + 1);
  return graph_of(e, n);
}

// The vertices by number instead of by id; id[v] is what a number stands for. Lists are sorted by number, and
// mid[v] is where the neighbours above v begin. twin[p] is where the other direction of the edge at p is.
struct Ordered : Graph {
  vector<i32> id;
  vector<u64> mid;
  vector<u32> twin;
  const i32* above(i32 v) const { return adj.data() + mid[v]; }
};

static Ordered in_order(const Graph& g, vector<i32> id, bool twins) {
  Ordered o;
  o.n = g.n;
  o.id = move(id);
  o.off.resize(g.n + 1);
  o.mid.resize(g.n);
  o.adj.resize(g.adj.size());
  vector<i32> number(g.n);
  o.off[0] = 0;
  for (i32 v = 0; v < g.n; v++) {
    number[o.id[v]] = v;
    o.off[v + 1] = o.off[v] + g.degree(o.id[v]);
  }
  vector<u64> at(o.off.begin(), o.off.end() - 1);
  for (i32 v = 0; v < g.n; v++) {  // in order, so that each list is filled in order
    o.mid[v] = at[v];
    for (const i32* p = g.begin(o.id[v]); p < g.end(o.id[v]); p++) o.adj[at[number[*p]]++] = v;
  }
  if (twins) {
    o.twin.resize(o.adj.size());
    at.assign(o.off.begin(), o.off.end() - 1);
    for (i32 v = 0; v < o.n; v++)
      for (u64 p = o.off[v]; p < o.off[v + 1]; p++) o.twin[p] = at[o.adj[p]]++;
  }
  return o;
}

static vector<i32> by_degree(const Graph& g) {  // the lowest first; equal degrees in the order of ids
  vector<i32> at(g.n + 1, 0), id(g.n);
  for (i32 v = 0; v < g.n; v++) at[g.degree(v) + 1]++;
  for (i32 d = 0; d < g.n; d++) at[d + 1] += at[d];
  for (i32 v = 0; v < g.n; v++) id[at[g.degree(v)]++] = v;
  return id;
}

// work(task, i) for each i < n; a task belongs to one thread. From the end down if so asked, for what is dear is there.
template <class Task, class Work> static void parallel(vector<Task>& tasks, i32 n, i32 step, bool down, Work work) {
  atomic<i32> next(0);
  auto run = [&](size_t id) {
    for (i32 s; (s = next.fetch_add(step)) < n;)
      for (i32 i = s; i < min(n, s + step); i++) work(tasks[id], down ? n - 1 - i : i);
  };
  vector<thread> pool;
  for (size_t id = 1; id < tasks.size(); id++) pool.emplace_back(run, id);
  run(0);
  for (auto& t : pool) t.join();
}

// What a query gives: one number, or one for each vertex by id.
struct Result {
  u128 count = 0;
  vector<u64> each;
  void total() { for (u64 x : each) count += x; }
};

static string decimal(u128 x) {
  string s;
  do { s.insert(s.begin(), '0' + int(x % 10)); x /= 10; } while (x);
  return s;
}

static u64 narrow(u128 x) {
  if (x >> 64) { fprintf(stderr, "a count of a vertex exceeds 64 bits\n"); exit(3); }
  return (u64)x;
}

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

// One line a run; cpu is that of all threads. Of counts by vertex: their sum, how many are not 0, and the sum of count * id.
template <class Run> static void report(const char* contender, const string& dir, const string& query, int threads, int runs, Run run) {
  for (int r = 0; r < runs; r++) {
    auto start = chrono::steady_clock::now();
    double before = cpu();
    Result found = run();
    double spent = cpu() - before;
    double secs = chrono::duration<double>(chrono::steady_clock::now() - start).count();
    string groups;
    if (!found.each.empty()) {
      u64 some = 0;
      u128 weighted = 0;
      for (size_t v = 0; v < found.each.size(); v++) some += found.each[v] != 0, weighted += (u128)found.each[v] * v;
      groups = ",\"groups\":" + decimal(some) + ",\"weighted\":" + decimal(weighted);
    }
    printf("{\"contender\":\"%s\",\"threads\":%d,\"graph\":\"%s\",\"query\":\"%s\",\"secs\":%.6f,\"cpu\":%.6f,\"count\":%s%s,\"status\":\"ok\"}\n",
           contender, threads, dir.substr(dir.find_last_of('/') + 1).c_str(), query.c_str(), secs, spent, decimal(found.count).c_str(), groups.c_str());
    fflush(stdout);
  }
}

static Graph random_graph(mt19937& random, i32 most) {
  i32 n = 1 + random() % most;
  int dense = random() % 101;
  vector<i32> e;
  for (i32 a = 0; a < n; a++)
    for (i32 b = 0; b < a; b++)
      if (int(random() % 100) < dense) e.insert(e.end(), {a, b, b, a});
  return graph_of(e, n);
}

// By nested loops: the maps of the vertices 0, 1, … of a pattern (an edge list) into g, by the image of 0.
struct Naive {
  const Graph& g;
  const vector<pair<int, int>>& edges;
  int size;
  bool different;
  function<bool(const vector<i32>&)> keep;  // asked whenever one more is mapped
  vector<i32> image;
  vector<u64> each;
  vector<u64> count() {
    each.assign(g.n, 0);
    image.clear();
    extend();
    return each;
  }
  void extend() {
    int k = image.size();
    if (k == size) { each[image[0]]++; return; }
    for (i32 v = 0; v < g.n; v++) {
      bool fits = !different || find(image.begin(), image.end(), v) == image.end();
      for (auto& e : edges)
        if (max(e.first, e.second) == k) fits = fits && binary_search(g.begin(v), g.end(v), image[min(e.first, e.second)]);
      if (!fits) continue;
      image.push_back(v);
      if (keep(image)) extend();
      image.pop_back();
    }
  }
};

static bool wanted(const char* list, const string& query) {
  return !list || (string(",") + list + ",").find("," + query + ",") != string::npos;
}
