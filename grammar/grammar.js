/**
 * @file Tile IR text, without a table of ops.
 *
 * An op is a name followed by operands, keywords, attributes, types, groups and regions, in any order. No rule below
 * names an op, so new ops need no change here.
 *
 * Line breaks have no meaning in the language, and where a custom-form op ends depends on that op's form, which this
 * grammar does not contain. Instead, every statement starts with a separate kind of token (an op name, a result
 * definition, or an alias definition). The scanner in `src/scanner.c` distinguishes those from operands, keywords and
 * strings by the text before and after them. An op ends where the next statement starts.
 *
 * @license Apache-2.0 OR MIT
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_$.]*/;
const VALUE = /%([0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)/;
const STRING = /"([^"\\\n]|\\[^\n])*"/;
const SUFFIX = /([0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)/;

/** One or more of `rule`, separated by commas. */
const list1 = (rule) => seq(rule, repeat(seq(',', rule)));
/** Any number of `rule`, separated by commas. */
const list0 = (rule) => optional(list1(rule));

/** A closing bracket, or `unclosed` where it is missing, which limits the damage to the bracket's own op. */
const close = ($, bracket) => choice(bracket, $.unclosed);

module.exports = grammar({
  name: 'tile',

  externals: ($) => [
    // The start of a statement.
    $._op_word,
    $._op_string,
    $._defined_value,
    $._attribute_alias_name,
    $._type_alias_name,
    // The opening brace of a region, not of a dictionary.
    $._region_open,
    // A type without `!` or parameters, on the same line as the token that introduces it.
    $._type_word,
    // Zero width: the end of a bracket that is still open at the next statement or at the end of a region.
    $.unclosed,
    $._unclosed_group,
    // Never produced: these tell the scanner its position in the grammar.
    $._mid_op,
    $._after_name,
    $._tail,
    $._anywhere,
    $._error_recovery,
  ],

  // `_anywhere` is never produced: as an extra, it makes the parser call the scanner for every token.
  extras: ($) => [/\s/, $.comment, $.directive, $._anywhere],

  rules: {
    source_file: ($) => repeat(choice($.op, $.attribute_alias, $.type_alias, $.file_metadata)),

    // ---- comments -------------------------------------------------------------------------------------------------

    comment: (_) => token(/\/\/[^\n]*/),
    // A launch directive, which is a comment for all other tools.
    directive: (_) => token(prec(1, /\/\/@[^\n]*/)),
    // `{-# … #-}`: resources of other tools.
    file_metadata: ($) => seq('{-#', list0($.metadata_entry), '#-}'),
    metadata_entry: ($) =>
      seq(field('name', choice($.identifier, $.string)), ':', field('value', $._metadata_value)),
    _metadata_value: ($) =>
      choice($.string, $._number, $.boolean, $.identifier, $.metadata_dictionary, alias($._metadata_list, $.list)),
    metadata_dictionary: ($) => seq('{', list0($.metadata_entry), '}'),
    _metadata_list: ($) => seq('[', list0($._metadata_value), ']'),

    // ---- top level ------------------------------------------------------------------------------------------------

    attribute_alias: ($) =>
      seq(field('name', alias($._attribute_alias_name, $.attribute_name)), '=', field('value', $._typed_value)),
    type_alias: ($) => seq(field('name', alias($._type_alias_name, $.type_name)), '=', field('value', $._value_type)),

    // ---- ops ------------------------------------------------------------------------------------------------------

    op: ($) =>
      seq(
        optional(seq(field('results', $.results), '=')),
        field('name', alias(choice($._op_word, $._op_string), $.op_name)),
        optional($._after_name),
        field('body', optional($.op_body)),
      ),

    // `%a, %b:2 =`
    results: ($) => list1($.result),
    result: ($) =>
      seq(alias($._defined_value, $.value), optional(seq(':', field('count', alias($._decimal, $.integer))))),

    // Everything after the name. This is a separate node because it is the scope of arguments and induction variables,
    // but not of the op's results.
    // The last part shows whether a word on the same line can start the next op (`_tail`). It is a rule of its own, so
    // that a reparse that keeps the parts before an edit knows it too.
    op_body: ($) =>
      choice(
        seq(repeat1($._ended_parts), optional($._tail)),
        seq(repeat1($._ended_parts), $._open_parts),
        $._open_parts,
      ),

    // Parts of an op up to a region, a location or types.
    _ended_parts: ($) =>
      seq(
        optional($._open_parts),
        choice(
          $.region,
          $.location,
          field('types', $.type_annotation),
          field('result_types', $.result_types),
        ),
      ),

    // Other parts of an op.
    _open_parts: ($) => repeat1(choice($._open_part, $._mid_op)),

    _open_part: ($) =>
      choice(
        $._operand,
        ',',
        '::',
        $.induction_variable,
        $.symbol,
        $.string,
        $._number,
        $.boolean,
        alias($.identifier, $.keyword),
        $.attribute,
        alias($._word_attribute, $.attribute),
        alias($._bare_attribute, $.named_attribute),
        alias($._bang_type, $.type),
        $.parameters,
        $.list,
        $.group,
        $.dictionary,
        $.attribute_dictionary,
      ),

    _operand: ($) => seq($.value, optional(alias(token.immediate(/#[0-9]+/), $.result_index))),

    // `%i in (%low to %high, step %step)`
    induction_variable: ($) => seq(field('name', $.value), 'in'),

    attribute_dictionary: ($) => seq('attributes', $.dictionary),

    type_annotation: ($) => seq(':', $._types),
    result_types: ($) => seq('->', $._types),
    _types: ($) => prec.right(choice(list1($.type), seq('(', list0($.type), ')'))),

    // ---- regions and blocks ---------------------------------------------------------------------------------------

    region: ($) => seq(alias($._region_open, '{'), repeat($.op), repeat($.block), '}'),
    block: ($) => seq($.block_label, repeat($.op)),
    block_label: ($) => seq(field('name', $.block_name), optional($.group), ':'),
    block_name: (_) => token(seq('^', SUFFIX)),

    // `( … )`: parameters, bounds, carried values, operands of the generic form, its regions.
    group: ($) =>
      seq(
        '(',
        repeat(
          choice(
            $.argument,
            $.iter_value,
            $._operand,
            ',',
            '->',
            '?',
            $.block_name,
            $.symbol,
            $.string,
            $._number,
            $.boolean,
            alias($.identifier, $.keyword),
            $.attribute,
            alias($._word_attribute, $.attribute),
            $.named_attribute,
            alias($._plain_type, $.type),
            $.parameters,
            $.list,
            $.group,
            $.region,
          ),
        ),
        choice(')', alias($._unclosed_group, $.unclosed)),
      ),

    // `%x: tile<f32> {hint = 1} loc("f":1:2)`
    argument: ($) =>
      seq(field('name', $.value), ':', field('type', $.type), optional($.dictionary), optional($.location)),
    // `%carried = %init`
    iter_value: ($) =>
      seq(
        field('name', $.value),
        '=',
        field('value', $.value),
        optional(alias(token.immediate(/#[0-9]+/), $.result_index)),
      ),

    // ---- types ----------------------------------------------------------------------------------------------------

    // In a type list, a word is a type if it is on the same line as the token that introduces it, or has parameters.
    // This keeps an incomplete list from including the next line's op.
    type: ($) =>
      choice(
        $._any_plain_type,
        prec.right(seq(alias($._type_word, $.type_name), optional($.type_parameters))),
      ),
    // A type in a position where a bare word is not a type.
    _plain_type: ($) => $._any_plain_type,
    _any_plain_type: ($) => choice(alias($._builtin_type, $.type_name), $._bang_type),
    _bang_type: ($) => prec.right(seq(alias($._bang_name, $.type_name), optional($.type_parameters))),
    _parametric_type: ($) =>
      prec(1, seq(alias($.identifier, $.type_name), $.type_parameters)),

    _bang_name: (_) => token(seq('!', IDENTIFIER)),
    // Scalar types consist of a class and a width, so new ones match too.
    _builtin_type: (_) => token(prec(1, choice(/(si|ui|i|bf|tf|f|fnv)[0-9]+([A-Z][A-Za-z0-9]*)?/, 'index', 'token'))),

    type_parameters: ($) =>
      seq('<', list0($._type_parameter), choice('>', seq(optional(','), $.unclosed))),
    _type_parameter: ($) =>
      choice(
        $._element,
        seq($.shape, $._element),
        alias($._decimal, $.integer),
        alias($._float, $.float),
        $.dynamic,
        $.string,
        $.boolean,
        $.symbol,
        $.attribute,
        alias($._type_named_parameter, $.named_attribute),
        $.parameters,
        $.list,
        $.dictionary,
        $.function_type,
      ),
    _element: ($) =>
      choice(alias($._plain_type, $.type), alias($._parametric_type, $.type), alias($._word_type, $.type)),
    _word_type: ($) => alias($.identifier, $.type_name),
    _type_named_parameter: ($) =>
      seq(
        field('name', $.identifier),
        '=',
        field(
          'value',
          choice(
            $.identifier,
            alias($._plain_type, $.type),
            alias($._parametric_type, $.type),
            seq($.shape, $._element),
            $._number,
            $.dynamic,
            $.string,
            $.boolean,
            $.symbol,
            $.attribute,
            $.parameters,
            $.list,
            $.dictionary,
            $.function_type,
            $.dimensions,
          ),
        ),
      ),

    // `64x?x` or `[N*2]x4x` before an element type, and `(4x8)` alone.
    shape: ($) => repeat1(seq($._dimension, alias($._by, 'x'))),
    dimensions: ($) => seq('(', optional(seq($._dimension, repeat(seq(alias($._by, 'x'), $._dimension)))), ')'),
    _dimension: ($) => choice(alias($._decimal, $.integer), $.dynamic, '*', $.list),
    _by: (_) => token.immediate(prec(2, 'x')),
    dynamic: (_) => '?',

    function_type: ($) =>
      prec(1, seq('(', list0($._element), ')', '->', choice($._element, seq('(', list0($._element), ')')))),

    // ---- attributes -----------------------------------------------------------------------------------------------

    // `#alias`, `#cuda_tile.div_by<16>`
    attribute: ($) =>
      prec.right(
        seq(
          field('name', $.attribute_name),
          repeat(choice(field('parameters', $.parameters), seq('[', alias($._decimal, $.integer), ']'))),
        ),
      ),
    attribute_name: (_) => token(seq('#', IDENTIFIER)),
    // `rounding<zero>`, `dense<1.0>`
    _word_attribute: ($) =>
      prec(1, seq(field('name', alias($.identifier, $.attribute_name)), field('parameters', $.parameters))),

    // `dim = 0` among the parts of an op: a `:` after it is the op's, not the value's.
    _bare_attribute: ($) => seq(field('name', $.identifier), '=', field('value', $._value)),
    // `dim = 0 : i64` elsewhere.
    named_attribute: ($) => seq(field('name', choice($.identifier, $.string)), '=', $._named_value),
    _named_value: ($) => seq(field('value', $._value), optional(seq(':', field('type', $._value_type)))),
    _typed_value: ($) => seq($._value, optional(seq(':', $._value_type))),

    _value: ($) =>
      choice(
        $._operand,
        $._number,
        $.dynamic,
        $.boolean,
        $.string,
        $.symbol,
        $.attribute,
        alias($._word_attribute, $.attribute),
        alias($._plain_type, $.type),
        $.identifier,
        $.parameters,
        $.list,
        $.dictionary,
        $.function_type,
        $.dimensions,
        $.location,
      ),
    _value_type: ($) => choice($._element, $.function_type),

    // `<i32: 1>`, `<sm_100 = {occupancy = 2}>`, `<16, every 4 along 0>`, `<#loc in #scope>`
    parameters: ($) => seq('<', repeat($._parameter), close($, '>')),
    _parameter: ($) =>
      choice(
        ',',
        ':',
        '->',
        '*',
        '+',
        '-',
        '/',
        '|',
        '::',
        $._operand,
        $._number,
        $.dynamic,
        seq($.shape, $._element),
        $.boolean,
        $.string,
        $.symbol,
        $.attribute,
        alias($._word_attribute, $.attribute),
        alias($._word_named_parameter, $.named_attribute),
        alias($._plain_type, $.type),
        $.identifier,
        $.parameters,
        $.list,
        $.dictionary,
        alias($._parameter_group, $.group),
        $.location,
      ),
    _parameter_group: ($) => seq('(', repeat($._parameter), close($, ')')),
    _word_named_parameter: ($) => seq(field('name', $.identifier), '=', field('value', $._plain_value)),
    // A value that does not start with a parenthesis: those are among the parts above.
    _plain_value: ($) =>
      choice(
        $._operand,
        $._number,
        $.boolean,
        $.string,
        $.symbol,
        $.attribute,
        alias($._word_attribute, $.attribute),
        alias($._plain_type, $.type),
        $.identifier,
        $.parameters,
        $.list,
        $.dictionary,
        $.location,
      ),

    // Items, or expressions: `[-1, (4, 8), N*2]`, `[64 /+ 32]`, `[N: index]`.
    list: ($) => seq('[', repeat($._list_part), close($, ']')),
    _list_part: ($) => choice(',', ':', '->', '*', '+', '-', '/', $._list_item),
    _list_item: ($) =>
      choice(
        $._operand,
        $._number,
        $.dynamic,
        $.boolean,
        $.string,
        $.symbol,
        $.block_name,
        $.attribute,
        alias($._word_attribute, $.attribute),
        alias($._plain_type, $.type),
        $.identifier,
        $.parameters,
        $.list,
        $.dictionary,
        alias($._list_group, $.group),
        $.location,
      ),
    _list_group: ($) => seq('(', repeat($._list_part), close($, ')')),

    dictionary: ($) => seq('{', list0($._entry), '}'),
    _entry: ($) => choice($.named_attribute, alias($._unit_attribute, $.named_attribute)),
    _unit_attribute: ($) => field('name', choice($.identifier, $.string)),

    // ---- locations ------------------------------------------------------------------------------------------------

    location: ($) => seq('loc', '(', $._location, ')'),
    _location: ($) =>
      choice(
        'unknown',
        $.attribute,
        $.callsite_location,
        $.fused_location,
        $.name_location,
        $.file_location,
        $.location,
      ),
    callsite_location: ($) => seq('callsite', '(', $._location, 'at', $._location, ')'),
    fused_location: ($) => seq('fused', optional($.parameters), '[', list0($._location), ']'),
    name_location: ($) => seq($.string, optional(seq('(', $._location, ')'))),
    file_location: ($) =>
      seq(
        $.string,
        ':',
        $._coordinate,
        ':',
        $._coordinate,
        optional(seq('to', optional($._coordinate), ':', $._coordinate)),
      ),
    _coordinate: ($) => alias($._decimal, $.integer),

    // ---- leaves ---------------------------------------------------------------------------------------------------

    value: (_) => token(VALUE),
    symbol: (_) => {
      const one = seq('@', choice(IDENTIFIER, STRING));
      return token(seq(one, repeat(seq('::', one))));
    },
    string: (_) => token(STRING),
    boolean: (_) => choice('true', 'false'),
    identifier: (_) => token(IDENTIFIER),

    _number: ($) =>
      choice(alias($._decimal, $.integer), alias($._hexadecimal, $.integer), alias($._float, $.float)),
    _decimal: (_) => token(/-?[0-9]+/),
    _hexadecimal: (_) => token(/-?0x[0-9a-fA-F]+/),
    _float: (_) => token(/-?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?/),
  },
});
