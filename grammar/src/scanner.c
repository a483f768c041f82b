// Distinguishes tokens that start a statement from those that continue one.
//
// The grammar has no table of ops, so it does not know where an op ends. Instead, every statement starts with a
// separate kind of token, which this scanner produces. It is stateless: it looks at the text between the previous token
// and this one, at this token, and at a short stretch of the text after it.
//
//     %a, %b:2 = …   a result: only a result list precedes `=`; a single value may also be a carried value (`%a = %b`)
//     "dialect.op"(  the name of an op in generic form: no other string is followed by a parenthesis
//     #name = / !name =  an alias
//     [ ( <          closed, if still open, by a line that starts with a result list, `word @symbol`, `word %value`
//                    (not in `(`) or `}`
//     {              a region, unless a dictionary's key (`name =`, `name,`) or `} :` follows
//     word           an op name where one is required; after types, a region or a location, unless it is one of the few
//                    words that can follow those; otherwise at the start of a line, unless the text after it shows that
//                    the op continues (`token = %t`, `iter_values(`, `rounding<zero>`, `flush_to_zero :`)
//
// For any other token it returns false, so that the generated lexer reads it.

#include "tree_sitter/parser.h"

#include <string.h>

// In the order of `externals` in grammar.js.
enum Token {
  OP_WORD,
  OP_STRING,
  DEFINED_VALUE,
  ATTRIBUTE_ALIAS_NAME,
  TYPE_ALIAS_NAME,
  REGION_OPEN,
  TYPE_WORD,
  // Zero width: the end of an unclosed bracket, or of an unclosed group.
  UNCLOSED,
  UNCLOSED_GROUP,
  // Never produced. Valid where an op can continue, right after its name, and right after its types, a region or its
  // location, respectively.
  MID_OP,
  AFTER_NAME,
  TAIL,
  // Never produced and always valid, so that the scanner sees every token.
  ANYWHERE,
  // Valid only during error recovery, when all tokens are.
  ERROR_RECOVERY,
};

// Limits of the lookahead for one token, which keep the total time linear in the length of the text.
enum { MAX_RESULTS = 256, MAX_WORDS = 8, MAX_BLANKS = 4096, WORD_SIZE = 12 };

static inline bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static inline bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static inline bool is_word(int32_t c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }

static inline bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static inline void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

// Skips whitespace and comments. Returns false if a `/` does not start a comment, or if they are too long.
static bool pass_blanks(TSLexer *lexer) {
  for (unsigned count = 0; count < MAX_BLANKS; count++) {
    if (is_blank(lexer->lookahead)) {
      advance(lexer);
    } else if (lexer->lookahead == '/') {
      advance(lexer);
      if (lexer->lookahead != '/') return false;
      while (!lexer->eof(lexer) && lexer->lookahead != '\n' && count < MAX_BLANKS) {
        advance(lexer);
        count++;
      }
    } else {
      return true;
    }
  }
  return false;
}

// Skips a word and stores its beginning.
static void pass_word(TSLexer *lexer, char word[WORD_SIZE]) {
  unsigned length = 0;
  while (is_word(lexer->lookahead)) {
    if (length < WORD_SIZE - 1) word[length++] = (char)lexer->lookahead;
    advance(lexer);
  }
  word[length] = '\0';
}

// Skips a string literal. Returns false if it does not end on its line.
static bool pass_string(TSLexer *lexer) {
  advance(lexer);
  while (lexer->lookahead != '"') {
    if (lexer->lookahead == '\\') advance(lexer);
    if (lexer->eof(lexer) || lexer->lookahead == '\n') return false;
    advance(lexer);
  }
  advance(lexer);
  return true;
}

// Skips `%name`. Returns false if no name follows.
static bool pass_value(TSLexer *lexer) {
  advance(lexer);
  if (is_digit(lexer->lookahead)) {
    while (is_digit(lexer->lookahead)) advance(lexer);
    return true;
  }
  bool any = false;
  while (is_word(lexer->lookahead) || lexer->lookahead == '-') {
    advance(lexer);
    any = true;
  }
  return any;
}

static bool at_definition(TSLexer *lexer) {
  if (lexer->lookahead != '=') return false;
  advance(lexer);
  return lexer->lookahead != '=';
}

// After `=`: is this the name of an op?
static bool at_op(TSLexer *lexer) {
  return pass_blanks(lexer) && (is_letter(lexer->lookahead) || lexer->lookahead == '"');
}

// After the first value of a possible result list: is it one? If no statement can start here, the name of an op must
// follow as well.
static bool runs_into_definition(TSLexer *lexer, bool unexpected) {
  for (unsigned count = 0; count < MAX_RESULTS; count++) {
    if (!pass_blanks(lexer)) return false;
    if (lexer->lookahead == ':') {
      advance(lexer);
      if (!pass_blanks(lexer) || !is_digit(lexer->lookahead)) return false;
      while (is_digit(lexer->lookahead)) advance(lexer);
      if (!pass_blanks(lexer)) return false;
    }
    if (lexer->lookahead != ',') return at_definition(lexer) && (!unexpected || at_op(lexer));
    advance(lexer);
    if (!pass_blanks(lexer) || lexer->lookahead != '%' || !pass_value(lexer)) return false;
  }
  return false;
}

// At `%`: is this the first of a result list?
static bool scan_result(TSLexer *lexer, bool unexpected) {
  if (!pass_value(lexer)) return false;
  lexer->mark_end(lexer);
  return runs_into_definition(lexer, unexpected);
}

// At `"`: is this the name of an op in generic form?
static bool scan_op_string(TSLexer *lexer) {
  if (!pass_string(lexer)) return false;
  lexer->mark_end(lexer);
  return pass_blanks(lexer) && lexer->lookahead == '(';
}

// At `#` or `!`: is this the definition of an alias?
static bool scan_alias(TSLexer *lexer) {
  advance(lexer);
  if (!is_letter(lexer->lookahead)) return false;
  while (is_word(lexer->lookahead)) advance(lexer);
  lexer->mark_end(lexer);
  return pass_blanks(lexer) && at_definition(lexer);
}

// At `{`: does this open a region, not a dictionary?
static bool scan_region(TSLexer *lexer) {
  advance(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '-') return false;
  if (!pass_blanks(lexer)) return true;
  if (lexer->lookahead == '"') {
    if (!pass_string(lexer) || !pass_blanks(lexer)) return true;
    if (lexer->lookahead == '=' || lexer->lookahead == ',') return false;
  } else if (is_letter(lexer->lookahead)) {
    while (is_word(lexer->lookahead)) advance(lexer);
    if (!pass_blanks(lexer)) return true;
    if (lexer->lookahead == '=' || lexer->lookahead == ',') return false;
  }
  // `{}` and `{word}` can be either; types follow a dictionary, but never a region.
  if (lexer->lookahead == '}') {
    advance(lexer);
    return !(pass_blanks(lexer) && lexer->lookahead == ':');
  }
  return true;
}

// After a word and the blanks after it, if the word started a line and the op has operands but no types yet: do only
// flags such as `signed` and `rounding<zero>` precede the op's types?
static bool flags_run_into_types(TSLexer *lexer) {
  for (unsigned count = 0; count < MAX_WORDS; count++) {
    if (lexer->lookahead == ':') {
      advance(lexer);
      return lexer->lookahead != ':';
    }
    if (!is_letter(lexer->lookahead)) return false;
    while (is_word(lexer->lookahead)) advance(lexer);
    if (lexer->lookahead == '<') return true;
    if (!pass_blanks(lexer)) return false;
  }
  return false;
}

// At the start of a line inside brackets: does something start here that cannot be inside them?
static bool scan_unclosed(TSLexer *lexer, bool group) {
  if (lexer->lookahead == '}') return true;
  if (lexer->lookahead == '%') return pass_value(lexer) && runs_into_definition(lexer, true);
  if (!is_letter(lexer->lookahead)) return false;
  while (is_word(lexer->lookahead)) advance(lexer);
  if (!is_blank(lexer->lookahead) || !pass_blanks(lexer)) return false;
  // Only groups contain a word followed by a value: `step %st`.
  return lexer->lookahead == '@' || (lexer->lookahead == '%' && !group);
}

static bool scan_word(TSLexer *lexer, const bool *valid, bool new_line) {
  bool recovering = valid[ERROR_RECOVERY];
  bool type = valid[TYPE_WORD] && !recovering;
  // Most words are parts of an op on its line, which can be decided without reading the word.
  if (!type) {
    if (!valid[OP_WORD]) return false;
    if (!new_line && (recovering || (valid[MID_OP] && !valid[TAIL]))) return false;
  }

  char word[WORD_SIZE];
  pass_word(lexer, word);
  lexer->mark_end(lexer);
  bool parameters = lexer->lookahead == '<';
  if (type) {
    lexer->result_symbol = TYPE_WORD;
    return !new_line || parameters;
  }
  lexer->result_symbol = OP_WORD;
  // At the start of a file or a region, or after `=`, only an op can follow.
  if (!valid[MID_OP] && !recovering) return true;

  bool blanks = pass_blanks(lexer);
  if (blanks) {
    if (lexer->lookahead == '(' || lexer->lookahead == '=') return false;
    // A dictionary, not a region.
    static const char *const BEFORE_DICTIONARY[] = {"else", "attributes", "scratch"};
    for (unsigned i = 0; lexer->lookahead == '{' && i < 3; i++) {
      if (!strcmp(word, BEFORE_DICTIONARY[i])) return false;
    }
  }
  if (valid[TAIL] && !recovering) return new_line || !parameters;
  if (parameters) return false;
  return recovering || valid[AFTER_NAME] || !blanks || !flags_run_into_types(lexer);
}

void *tree_sitter_tile_external_scanner_create(void) { return NULL; }

void tree_sitter_tile_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_tile_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

void tree_sitter_tile_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_tile_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool recovering = valid[ERROR_RECOVERY];
  bool new_line = false;
  lexer->mark_end(lexer);
  while (is_blank(lexer->lookahead)) {
    if (lexer->lookahead == '\n') new_line = true;
    lexer->advance(lexer, true);
  }

  if (new_line && !recovering && (valid[UNCLOSED] || valid[UNCLOSED_GROUP])) {
    lexer->result_symbol = valid[UNCLOSED] ? UNCLOSED : UNCLOSED_GROUP;
    return scan_unclosed(lexer, valid[UNCLOSED_GROUP]);
  }
  int32_t first = lexer->lookahead;
  if (is_letter(first)) return scan_word(lexer, valid, new_line);
  switch (first) {
    case '%':
      // Where no result can start, this token is valid only at the next statement. It makes the parser close what is
      // open and continue there.
      if (!new_line && (recovering || !valid[DEFINED_VALUE] || (valid[MID_OP] && !valid[TAIL]))) return false;
      lexer->result_symbol = DEFINED_VALUE;
      return scan_result(lexer, recovering || !valid[DEFINED_VALUE]);
    case '"':
      if (!valid[OP_STRING]) return false;
      lexer->result_symbol = OP_STRING;
      return scan_op_string(lexer);
    case '#':
      if (!valid[ATTRIBUTE_ALIAS_NAME]) return false;
      lexer->result_symbol = ATTRIBUTE_ALIAS_NAME;
      return scan_alias(lexer);
    case '!':
      if (!valid[TYPE_ALIAS_NAME]) return false;
      lexer->result_symbol = TYPE_ALIAS_NAME;
      return scan_alias(lexer);
    case '{':
      if (!valid[REGION_OPEN]) return false;
      lexer->result_symbol = REGION_OPEN;
      return scan_region(lexer);
    default:
      return false;
  }
}
