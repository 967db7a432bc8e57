// Harder limits than ../shared/peers/cpp/kernel.cpp for the patterns whose count is that of smaller ones.
// usage: best <graphdir> <threads> <runs> [query,...]    build: g++ -O3 -march=native -std=c++17 -pthread
//
// The index (both directions of u, by source, sorted) is resident; all else is timed. Vertices are ranked by
// degree. An edge is walked from its end of higher rank to the list of the lower, so that all walks together
// take the sum over edges of the smaller degree, not that of squared degrees.
//
// t(e) is the number of triangles on an edge e, q(e) that of 4-cycles.
// cycle4:  n 2-paths from the highest vertex a of a cycle to the vertex opposite make C(n, 2) cycles.
// diamond: two triangles on the edge a-b, so C(t, 2) for each edge.
// house:   a cycle a-b-c-d and a triangle a-b-e on the same edge, so t * q for each edge, less those with
//          e = c or e = d. Of e = c there are t(a,c) - 1, for d is a common neighbour of a and c other than b;
//          likewise t(b,d) - 1 of e = d. So a triangle with the edges x, y, z takes away 2(t(x) + t(y) + t(z)) - 6,
//          and all of them together 2t*t - 2t for each edge. The sum over edges is that of t * (q - 2t + 2).
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>
using namespace std;
typedef int32_t i32;
typedef uint64_t u64;

static i32 n = 0;
static vector<u64> off;
static vector<i32> adj;

static void load(const string& path) {
  FILE* f = fopen(path.c_str(), "rb");
  if (!f) { perror(path.c_str()); exit(1); }
  fseek(f, 0, SEEK_END);
  vector<i32> e(ftell(f) / 4);
  rewind(f);
  if (fread(e.data(), 4, e.size(), f) != e.size()) exit(1);
  fclose(f);
  for (i32 x : e) n = max(n, x + 1);
  off.assign(n + 1, 0);
  for (u64 i = 0; i < e.size(); i += 2) off[e[i] + 1]++;
  for (i32 v = 0; v < n; v++) off[v + 1] += off[v];
  adj.resize(e.size() / 2);
  vector<u64> at(off.begin(), off.end() - 1);
  for (u64 i = 0; i < e.size(); i += 2) adj[at[e[i]]++] = e[i + 1];
  for (i32 v = 0; v < n; v++) sort(adj.begin() + off[v], adj.begin() + off[v + 1]);
}

static u64 degree(i32 v) { return off[v + 1] - off[v]; }

static vector<i32> rank_of;

static bool below(i32 b, i32 a) { return rank_of[b] < rank_of[a]; }

static void rank_by_degree() {  // counting, and stable: equal degrees in the order of ids
  vector<i32> at(n + 1, 0);
  for (i32 v = 0; v < n; v++) at[degree(v) + 1]++;
  for (i32 d = 0; d < n; d++) at[d + 1] += at[d];
  rank_of.resize(n);
  for (i32 v = 0; v < n; v++) rank_of[v] = at[degree(v)]++;
}

struct Task {
  vector<uint8_t> mark;   // of the neighbours of the vertex at hand
  vector<i32> paths;      // 2-paths from there, by where they end
  vector<u64> q;          // by position in adj; the cycles on an edge are spread over both of its positions
  Task() : mark(n, 0), paths(n, 0) {}
};

template <class Work> static u64 parallel(int threads, vector<Task>& tasks, Work work) {
  atomic<i32> next(0);
  vector<u64> sum(threads, 0);
  auto run = [&](int id) {
    u64 k = 0;
    for (i32 s; (s = next.fetch_add(64)) < n;)
      for (i32 a = s; a < min(n, s + 64); a++) k += work(a, tasks[id]);
    sum[id] = k;
  };
  vector<thread> pool;
  for (int i = 1; i < threads; i++) pool.emplace_back(run, i);
  run(0);
  for (auto& t : pool) t.join();
  u64 total = 0;
  for (u64 x : sum) total += x;
  return total;
}

// Calls f(p, t) with the position of each edge to a lower vertex and the triangles on it.
template <class F> static void triangles(i32 a, Task& task, F f) {
  for (u64 p = off[a]; p < off[a + 1]; p++) task.mark[adj[p]] = 1;
  for (u64 p = off[a]; p < off[a + 1]; p++) {
    if (!below(adj[p], a)) continue;
    u64 t = 0;
    for (u64 r = off[adj[p]]; r < off[adj[p] + 1]; r++) t += task.mark[adj[r]];
    f(p, t);
  }
  for (u64 p = off[a]; p < off[a + 1]; p++) task.mark[adj[p]] = 0;
}

// Calls f(p, r) with the positions of both edges of each 2-path over a lower vertex to a lower one.
template <class F> static void paths(i32 a, F f) {
  for (u64 p = off[a]; p < off[a + 1]; p++) {
    if (!below(adj[p], a)) continue;
    for (u64 r = off[adj[p]]; r < off[adj[p] + 1]; r++)
      if (below(adj[r], a)) f(p, r);
  }
}

static u64 diamond(int threads) {
  vector<Task> tasks(threads);
  return parallel(threads, tasks, [](i32 a, Task& task) {
    u64 k = 0;
    triangles(a, task, [&k](u64, u64 t) { if (t) k += t * (t - 1) / 2; });
    return k;
  });
}

static u64 cycle4(int threads) {
  vector<Task> tasks(threads);
  return parallel(threads, tasks, [](i32 a, Task& task) {
    u64 k = 0;
    paths(a, [&](u64, u64 r) { k += task.paths[adj[r]]++; });
    paths(a, [&](u64, u64 r) { task.paths[adj[r]] = 0; });
    return k;
  });
}

static u64 house(int threads) {
  vector<Task> tasks(threads);
  vector<u64> t(adj.size());
  for (auto& task : tasks) task.q.assign(adj.size(), 0);
  u64 less = parallel(threads, tasks, [&t](i32 a, Task& task) {
    u64 k = 0;
    triangles(a, task, [&](u64 p, u64 found) {
      i32 b = adj[p];
      t[p] = t[lower_bound(adj.begin() + off[b], adj.begin() + off[b + 1], a) - adj.begin()] = found;
      if (found) k += 2 * found * (found - 1);
    });
    paths(a, [&](u64, u64 r) { task.paths[adj[r]]++; });
    paths(a, [&](u64 p, u64 r) {
      u64 others = task.paths[adj[r]] - 1;
      task.q[p] += others;
      task.q[r] += others;
    });
    paths(a, [&](u64, u64 r) { task.paths[adj[r]] = 0; });
    return k;
  });
  u64 k = 0;
  for (auto& task : tasks)
    for (u64 p = 0; p < adj.size(); p++) k += t[p] * task.q[p];
  return k - less;
}

int main(int argc, char** argv) {
  if (argc < 4) { fprintf(stderr, "usage: best <graphdir> <threads> <runs> [query,...]\n"); return 2; }
  string dir = argv[1], name = dir.substr(dir.find_last_of('/') + 1);
  string wanted = argc > 4 ? string(",") + argv[4] + "," : "";
  int threads = atoi(argv[2]), runs = atoi(argv[3]);
  load(dir + "/u.bin");
  const pair<const char*, u64 (*)(int)> queries[] = {{"cycle4", cycle4}, {"diamond", diamond}, {"house", house}};
  for (auto& q : queries) {
    if (!wanted.empty() && wanted.find(string(",") + q.first + ",") == string::npos) continue;
    for (int r = 0; r < runs; r++) {
      auto start = chrono::steady_clock::now();
      rank_by_degree();
      u64 count = q.second(threads);
      double secs = chrono::duration<double>(chrono::steady_clock::now() - start).count();
      printf("{\"contender\":\"cpp-best\",\"threads\":%d,\"graph\":\"%s\",\"query\":\"%s\",\"secs\":%.6f,"
             "\"count\":%llu,\"status\":\"ok\"}\n", threads, name.c_str(), q.first, secs, (unsigned long long)count);
      fflush(stdout);
    }
  }
}
