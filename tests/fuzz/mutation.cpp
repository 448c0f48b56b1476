// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutation.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace bricard::fuzz {
namespace {

constexpr const char* kExtremes[] = {"0",
                                     "-0",
                                     "1",
                                     "-1",
                                     "1e308",
                                     "-1e308",
                                     "1e-308",
                                     "5e-324",
                                     "1e16",
                                     "1e-16",
                                     "1e400",
                                     ".nan",
                                     "nan",
                                     ".inf",
                                     "-.inf",
                                     "inf",
                                     "1/0",
                                     "2147483648",
                                     "-2147483649",
                                     "1e9",
                                     "0x7f",
                                     "1e-9",
                                     "~",
                                     "\"\"",
                                     "true",
                                     "sqrt(-1)",
                                     "exp(1000)",
                                     "t",
                                     "t*1e9",
                                     "1/(t-0.001)",
                                     "[]",
                                     "{}",
                                     "0.1",
                                     "18446744073709551616",
                                     "1 mm",
                                     "1 deg",
                                     "2 kg",
                                     "'",
                                     "*x",
                                     "&x 1",
                                     "!!binary x",
                                     "1_0",
                                     "-",
                                     "?",
                                     "3.14159265358979",
                                     "1e5"};
constexpr const char* kFunctions[] = {
    "abs",   "acos",  "aint", "anint", "asin",   "atan",   "atan2",  "bistop", "cbrt", "ceil",   "cheby",
    "cos",   "cosh",  "exp",  "floor", "forcos", "forsin", "havsin", "hypot",  "if",   "impact", "log",
    "log10", "max",   "min",  "mod",   "poly",   "round",  "shf",    "sign",   "sin",  "sinh",   "sqrt",
    "step",  "step5", "tan",  "tanh",  "trunc",  "akispl", "cubspl", "nothing"};
constexpr const char* kOperators[] = {"+", "-", "*", "/", "^", "**", "<", ">", "<=", "==", "&&", " ", ",", "%"};
constexpr const char* kAtoms[] = {"t",   "time", "pi", "a",  "b",    "x",     "1",
                                  "2.5", "1e-3", ".5", "1e", "3 mm", "2 deg", "k.y"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

/// First and last + 1 of the line at a place.
std::pair<size_t, size_t> line_at(const std::string& text, size_t place) {
  const size_t before = place == 0 ? std::string::npos : text.rfind('\n', place - 1), end = text.find('\n', place);
  return {before == std::string::npos ? 0 : before + 1, end == std::string::npos ? text.size() : end + 1};
}

}  // namespace

// SplitMix64, for which a seed is as good as any other.
std::uint64_t Mutation::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::vector<Mutation::Token> Mutation::tokens(const std::string& text, bool numbers) const {
  std::vector<Token> found;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i])) continue;
    const size_t first = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const bool number = std::isdigit(static_cast<unsigned char>(text[first])) || text[first] == '.';
    if (number == numbers) found.push_back({first, i - first});
  }
  return found;
}

void Mutation::change_bytes(std::string& text) {
  const size_t place = below(text.size() + 1);
  constexpr const char* kMarks = "{}[],:-#&*!|>'\"%@` \n\t";
  switch (below(4)) {
    case 0: text.insert(place, 1, kMarks[below(22)]); break;
    case 1: text.insert(place, 1, static_cast<char>(below(256))); break;
    case 2: text.erase(place, 1 + below(8)); break;
    default:
      if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << below(8)));
  }
}

void Mutation::change_number(std::string& text) {
  const auto found = tokens(text, true);
  if (found.empty()) return change_bytes(text);
  const Token& token = any(found);
  text.replace(token.first, token.size, any(kExtremes));
}

void Mutation::change_word(std::string& text, const std::string& other) {
  const auto found = tokens(text, false), others = tokens(other, false);
  if (found.empty() || others.empty()) return change_bytes(text);
  const Token &token = any(found), &taken = any(others);
  text.replace(token.first, token.size, other.substr(taken.first, taken.size));
}

void Mutation::change_line(std::string& text, const std::string& other) {
  const auto [first, end] = line_at(text, below(text.size()));
  const std::string line = text.substr(first, end - first);
  const auto [from, to] = line_at(other, below(other.size()));
  switch (below(5)) {
    case 0: text.insert(first, line); break;
    case 1: text.erase(first, end - first); break;
    case 2: text.insert(first, other.substr(from, to - from)); break;
    case 3: text.insert(first, below(4), ' '); break;
    default: text.erase(first, end - first), text.insert(line_at(text, below(text.size())).first, line);
  }
}

void Mutation::splice(std::string& text, const std::string& other) {
  if (one_in(2)) text = text.substr(0, below(text.size())) + other.substr(below(other.size()));
  else
    text.insert(line_at(text, below(text.size())).first,
                other.substr(line_at(other, below(other.size())).first, below(400)));
}

void Mutation::nest(std::string& text) {
  const auto found = tokens(text, one_in(2));
  if (found.empty()) return;
  const Token& token = any(found);
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"(", ")"}, {"[", "]"}, {"{a: ", "}"}, {"-", ""}, {"sin(", ")"}};
  const auto& [open, close] = any(kPairs);
  const size_t depth = one_in(50) ? 20'000 : 1 + below(40);
  std::string before, after;
  for (size_t i = 0; i < depth; ++i) before += open, after += close;
  text.insert(token.first + token.size, after);
  text.insert(token.first, before);
}

void Mutation::change(std::string& text, const std::vector<std::string>& corpus) {
  const size_t kind = below(16);
  if (kind < 6) change_number(text);
  else if (kind < 9) change_word(text, one_in(2) ? text : any(corpus));
  else if (kind < 11) change_bytes(text);
  else if (kind < 13) change_line(text, one_in(2) ? text : any(corpus));
  else if (kind < 15) splice(text, any(corpus));
  else nest(text);
}

std::string Mutation::of_model(const std::vector<std::string>& corpus) {
  std::string text = any(corpus);
  for (size_t n = 1 + below(4); n > 0; --n) change(text, corpus);
  return text;
}

std::string Mutation::formula(int depth) {
  if (depth <= 0 || one_in(5)) return one_in(3) ? any(kExtremes) : any(kAtoms);
  switch (below(6)) {
    case 0: return "(" + formula(depth - 1) + ")";
    case 1: return "-" + formula(depth - 1);
    case 2: {
      std::string text = std::string(any(kFunctions)) + "(";
      for (size_t n = below(4); n > 0; --n) text += formula(depth - 1) + ", ";
      return text + formula(depth - 1) + ")";
    }
    default: return formula(depth - 1) + any(kOperators) + formula(depth - 1);
  }
}

std::string Mutation::of_formula(const std::vector<std::string>& corpus) {
  std::string text = one_in(2) ? formula(1 + static_cast<int>(below(6))) : any(corpus);
  for (size_t n = below(3); n > 0; --n) change(text, corpus);
  return text;
}

}  // namespace bricard::fuzz
