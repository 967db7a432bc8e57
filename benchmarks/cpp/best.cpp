// Harder limits than ../shared/peers/cpp/kernel.cpp for the two patterns that it counts by merging lists.
// usage: best <graphdir> <threads> <runs> [query,...]    build: g++ -O3 -march=native -std=c++17 -pthread
//
// t(x,y) is the number of common neighbours of the ends of an edge, found by marking the longer list and
// reading the shorter one. The index (both directions of u, by source, sorted) is resident; all else is timed.
//
// diamond: two triangles on the edge a-b, so C(t(a,b), 2) for each edge.
// house:   a-b-c-d-a with a triangle a-b-e on a-b. Let T be the common neighbours of a and b, and w(c) the
//          number of 2-paths from a to c, one of which leads over b. For each c after b there are w(c) - 1
//          choices of d, and for e those of T that are neither c nor d. Summed over d:
//              (w(c) - 1) * (|T| - [c in T]) - |T and N(c)|
//          and the last term, summed over the c after b, is the sum of t(b,x) - 1 over the x in T, for every
//          c that x and b share does, except a. So the walks are those over 2-paths, and no lists are merged.
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

static bool reads(i32 b, i32 a) {  // whether an edge's count is found by reading b's list against a's marks
  return degree(b) != degree(a) ? degree(b) < degree(a) : b < a;
}

template <class Work> static u64 parallel(int threads, Work work) {
  atomic<i32> next(0);
  vector<u64> sum(threads, 0);
  auto run = [&](int id) {
    vector<uint8_t> mark(n, 0);
    vector<i32> paths(n, 0);
    u64 k = 0;
    for (i32 s; (s = next.fetch_add(64)) < n;)
      for (i32 a = s; a < min(n, s + 64); a++) {
        for (u64 p = off[a]; p < off[a + 1]; p++) mark[adj[p]] = 1;
        k += work(a, mark, paths);
        for (u64 p = off[a]; p < off[a + 1]; p++) mark[adj[p]] = 0;
      }
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

static u64 common(i32 b, const vector<uint8_t>& mark) {
  u64 t = 0;
  for (u64 p = off[b]; p < off[b + 1]; p++) t += mark[adj[p]];
  return t;
}

static u64 diamond(int threads) {
  return parallel(threads, [](i32 a, const vector<uint8_t>& mark, vector<i32>&) {
    u64 k = 0;
    for (u64 p = off[a]; p < off[a + 1]; p++)
      if (reads(adj[p], a)) {
        u64 t = common(adj[p], mark);
        if (t) k += t * (t - 1) / 2;
      }
    return k;
  });
}

static u64 house(int threads) {
  vector<i32> t(adj.size());
  parallel(threads, [&t](i32 a, const vector<uint8_t>& mark, vector<i32>&) {
    for (u64 p = off[a]; p < off[a + 1]; p++) {
      i32 b = adj[p];
      if (!reads(b, a)) continue;
      t[p] = (i32)common(b, mark);
      t[lower_bound(adj.begin() + off[b], adj.begin() + off[b + 1], a) - adj.begin()] = t[p];
    }
    return (u64)0;
  });
  return parallel(threads, [&t](i32 a, const vector<uint8_t>& mark, vector<i32>& paths) {
    u64 k = 0;
    for (u64 p = off[a]; p < off[a + 1]; p++)
      for (u64 q = off[adj[p]]; q < off[adj[p] + 1]; q++) paths[adj[q]]++;
    for (u64 p = off[a]; p < off[a + 1]; p++) {
      i32 b = adj[p];
      if (b < a || !t[p]) continue;
      u64 all = 0, shared = 0, pairs = 0;
      for (u64 q = off[b]; q < off[b + 1]; q++) {
        if (adj[q] == a) continue;
        u64 in = mark[adj[q]], w = paths[adj[q]] - 1;
        all += w;
        shared += in * w;
        if (in) pairs += t[q] - 1;
      }
      k += t[p] * all - shared - pairs;
    }
    for (u64 p = off[a]; p < off[a + 1]; p++)
      for (u64 q = off[adj[p]]; q < off[adj[p] + 1]; q++) paths[adj[q]] = 0;
    return k;
  });
}

int main(int argc, char** argv) {
  if (argc < 4) { fprintf(stderr, "usage: best <graphdir> <threads> <runs> [query,...]\n"); return 2; }
  string dir = argv[1], name = dir.substr(dir.find_last_of('/') + 1);
  string wanted = argc > 4 ? string(",") + argv[4] + "," : "";
  int threads = atoi(argv[2]), runs = atoi(argv[3]);
  load(dir + "/u.bin");
  const pair<const char*, u64 (*)(int)> queries[] = {{"diamond", diamond}, {"house", house}};
  for (auto& q : queries) {
    if (!wanted.empty() && wanted.find(string(",") + q.first + ",") == string::npos) continue;
    for (int r = 0; r < runs; r++) {
      auto start = chrono::steady_clock::now();
      u64 count = q.second(threads);
      double secs = chrono::duration<double>(chrono::steady_clock::now() - start).count();
      printf("{\"contender\":\"cpp-best\",\"threads\":%d,\"graph\":\"%s\",\"query\":\"%s\",\"secs\":%.6f,"
             "\"count\":%llu,\"status\":\"ok\"}\n", threads, name.c_str(), q.first, secs, (unsigned long long)count);
      fflush(stdout);
    }
  }
}
