// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Inputs that no person would write, drawn from seeds: the same seed and corpus give the same input on every machine.
namespace bricard::fuzz {

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  /// One of the texts, changed in a few places: bytes, numbers, words, lines, pieces of other texts.
  std::string of_model(const std::vector<std::string>& corpus);
  /// A formula from the grammar, or one of the texts, changed likewise.
  std::string of_formula(const std::vector<std::string>& corpus);

 private:
  struct Token {
    size_t first, size;
  };
  std::uint64_t next();
  size_t below(size_t n) { return n ? next() % n : 0; }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class List>
  const auto& any(const List& list) {
    return list[below(std::size(list))];
  }
  std::vector<Token> tokens(const std::string& text, bool numbers) const;
  std::string formula(int depth);
  void change(std::string& text, const std::vector<std::string>& corpus);
  void change_bytes(std::string& text);
  void change_number(std::string& text);
  void change_word(std::string& text, const std::string& other);
  void change_line(std::string& text, const std::string& other);
  void splice(std::string& text, const std::string& other);
  void nest(std::string& text);

  std::uint64_t state_;
};

}  // namespace bricard::fuzz
