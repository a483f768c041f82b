//! `tile diff`.

use crate::harness::Folder;

const SUM: &str = "cuda_tile.module @m {
  entry @sum(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %start = constant <f32: 0.0> : tile<f32>
    %last = subi %n, %one : tile<i32>
    %total = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%sum = %start) -> (tile<f32>) {
      %at = offset %x, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t = load_ptr_tko weak %at : tile<ptr<f32>> -> tile<f32>, token
      %next = addf %sum, %v : tile<f32>
      continue %next : tile<f32>
    }
    %out = offset %x, %last : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %u = store_ptr_tko weak %out, %total : tile<ptr<f32>>, tile<f32> -> token
  }
}
";

/// The same program with other names, in another order, with a constant outside of its region.
fn renamed() -> String {
    let text = SUM.replace("%one", "%c1").replace("%sum,", "%acc,").replace("(%sum ", "(%acc ").replace("%v", "%w");
    let line = "    %last = subi %n, %c1 : tile<i32>\n";
    text.replace(line, "").replace("    %out", &format!("{line}    // the end\n    %out"))
}

fn folder(b: &str) -> Folder {
    Folder::with(&[("a.tile", SUM), ("b.tile", b)])
}

#[test]
fn names_and_order_are_not_compared() {
    let found = folder(&renamed()).tile(&["diff", "--exit-code", "a.tile", "b.tile"]);
    found.is(0, "no differences in meaning\n", "");
}

#[test]
fn bytecode_of_every_version_means_the_same() {
    let folder = folder(SUM);
    for version in ["13.1", "13.2", "13.3", "13.4", "13.5"] {
        folder.tile(&["build", "a.tile", "--bytecode-version", version, "-o", "a.tileirbc"]).is(0, "", "");
        folder.tile(&["diff", "--exit-code", "a.tile", "a.tileirbc"]).is(0, "no differences in meaning\n", "");
    }
}

#[test]
fn each_difference_is_shown_with_both_lines() {
    let changed = renamed()
        .replace("subi %n, %c1", "subi %c1, %n")
        .replace("addf %acc, %w :", "addf %w, %acc rounding<zero> :")
        .replace("%u = store", "%v2 = negf %total : tile<f32>\n    %u = store")
        .replace("%out, %total", "%out, %v2");
    let found = folder(&changed).tile(&["diff", "--exit-code", "a.tile", "b.tile"]);
    assert_eq!(found.status, Some(1), "{}", found.err);
    insta::assert_snapshot!(found.out, @r#"
    entry @sum (a.tile:2, b.tile:2)
      `subi` changed: lhs: %n -> %c1; rhs: %one -> %n
        - a.tile:6: %last = subi %n, %one : tile<i32>
        + b.tile:12: %last = subi %c1, %n : tile<i32>
      `addf` changed: rounding_mode: nearest_even -> zero
        - a.tile:10: %next = addf %sum, %v : tile<f32>
        + b.tile:9: %next = addf %w, %acc rounding<zero> : tile<f32>
      `negf` only in b.tile
        + b.tile:15: %v2 = negf %total : tile<f32>

    2 ops changed, 1 only in b.tile
    "#);
    assert_eq!(folder(&changed).tile(&["diff", "a.tile", "b.tile"]).status, Some(0));
}

#[test]
fn programs_are_shown_side_by_side() {
    let changed = renamed()
        .replace("subi %n, %c1", "subi %c1, %n")
        .replace("%u = store", "%v2 = negf %total : tile<f32>\n    %u = store")
        .replace("%out, %total", "%out, %v2");
    let found = folder(&changed).tile(&["diff", "-y", "--width", "120", "--exit-code", "a.tile", "b.tile"]);
    assert_eq!(found.status, Some(1), "{}", found.err);
    insta::assert_snapshot!(found.out);
    let same = folder(&renamed()).tile(&["diff", "-y", "a.tile", "b.tile"]);
    same.is(0, "no differences in meaning\n", "");
}

#[test]
fn headers_and_globals_are_compared() {
    let changed = SUM
        .replace("  entry", "  global @table <f32: 1.0> : tile<4xf32>\n  entry")
        .replace("%n: tile<i32>) {", "%n: tile<i32>) optimization_hints = <sm_100 = {occupancy = 2}> {");
    let found = folder(&changed).tile(&["diff", "a.tile", "b.tile"]);
    insta::assert_snapshot!(found.out, @r#"
    global @table only in b.tile:2

    entry @sum (a.tile:2, b.tile:3)
      hint sm_100 occupancy: none -> 2

    only headers and globals differ
    "#);
    let renamed = folder(&SUM.replace("@sum", "@total")).tile(&["diff", "a.tile", "b.tile"]);
    insta::assert_snapshot!(renamed.out, @r#"
    entry @sum (a.tile:2, b.tile:2)
      name: @sum -> @total

    only names and attributes differ
    "#);
}

#[test]
fn unused_and_repeated_ops_do_not_count() {
    let more = SUM.replace(
        "    %last",
        "    %two = constant <i32: 2> : tile<i32>\n    %again = subi %n, %one : tile<i32>\n    %last",
    );
    let folder = folder(&more);
    let found = folder.tile(&["diff", "--exit-code", "a.tile", "b.tile"]);
    assert_eq!(found.status, Some(0), "{}", found.err);
    insta::assert_snapshot!(found.out, @r#"
    no differences in meaning
    not shown: 2 unused or repeated ops, which do not change the meaning; `--all` shows them
    "#);
    insta::assert_snapshot!(folder.tile(&["diff", "--all", "a.tile", "b.tile"]).out, @r#"
    entry @sum (a.tile:2, b.tile:2)
      `constant` only in b.tile (unused)
        + b.tile:6: %two = constant <i32: 2> : tile<i32>
      `subi` only in b.tile (computed more often)
        + b.tile:8: %last = subi %n, %one : tile<i32>

    no differences in meaning
    "#);
}

#[test]
fn json_contains_the_verdict_and_the_lines() {
    let found = folder(&SUM.replace("<i32: 1>", "<i32: 2>")).tile(&["diff", "--json", "a.tile", "b.tile"]);
    let mut report: serde_json::Value = serde_json::from_str(&found.out).expect("the output is JSON");
    let texts = report["normalized"].take();
    let text = |side: &str| texts[side].as_str().expect("both programs have a text").to_string();
    assert_eq!(text("a").replace("<i32: 1>", "<i32: 2>"), text("b"));
    insta::assert_snapshot!(format!("{report:#}"), @r#"
    {
      "a": "a.tile",
      "b": "b.tile",
      "entries": [
        {
          "a": {
            "line": 2,
            "name": "sum"
          },
          "b": {
            "line": 2,
            "name": "sum"
          },
          "changes": [],
          "ops": [
            {
              "a": {
                "line": 4,
                "op": "constant",
                "ops": 1,
                "text": "%one = constant <i32: 1> : tile<i32>"
              },
              "b": {
                "line": 4,
                "op": "constant",
                "ops": 1,
                "text": "%one = constant <i32: 2> : tile<i32>"
              },
              "changes": [
                {
                  "a": "1",
                  "b": "2",
                  "kind": "value",
                  "name": ""
                }
              ],
              "harmless": null,
              "verdict": "different"
            }
          ],
          "shared_ops": 12,
          "verdict": "different"
        }
      ],
      "normalized": null,
      "producer": null,
      "symbols": [],
      "verdict": "different"
    }
    "#);
}

#[test]
fn folders_are_compared_with_statistics() {
    let changed = SUM.replace("addf", "mulf");
    let files = [
        ("old/same.tile", SUM),
        ("old/changed.tile", SUM),
        ("old/gone.tile", SUM),
        ("old/broken.tile", "cuda_tile.module @m { entry @k() { %a = addff } }"),
        ("new/same.tile", &renamed()),
        ("new/changed.tile", &changed),
        ("new/added.tile", SUM),
        ("new/broken.tile", SUM),
    ];
    let folder = Folder::with(&files);
    folder.tile(&["build", "old/same.tile", "-o", "new/other.tileirbc"]).is(0, "", "");
    folder.write("old/other.tile", SUM);
    let found = folder.tile(&["diff", "old", "new"]);
    assert_eq!(found.status, Some(2), "{}", found.err);
    insta::assert_snapshot!(found.out, @r#"
    only in B   added.tile
    failed      broken.tile   the program has errors, the first in line 1: unknown op `addff`; did you mean `addf`?
    different   changed.tile  1 op changed
    only in A   gone.tile
    same        other
    same        same.tile

    6 programs: 2 same, 1 different, 1 only in A, 1 only in B, 1 failed

    op        in A      in B  only in A  only in B  changed
    addf         3         2          0          0        1
    mulf         0         1          0          0        0

    count  change
        1  addf: op: addf -> mulf
    "#);
}

#[test]
fn unusable_programs_are_reported() {
    let folder = Folder::with(&[("a.tile", SUM), ("broken.tile", "cuda_tile.module @m { entry @k() { %a = addff } }")]);
    let found = folder.tile(&["diff", "a.tile", "broken.tile"]);
    assert_eq!((found.status, found.out.as_str()), (Some(2), ""));
    assert!(found.err.contains("E0002"), "{}", found.err);
    folder.write("cut.tileirbc", b"\x7fTileIR\0\x0d");
    folder.tile(&["diff", "a.tile", "cut.tileirbc"]).refuses_with(2, "cannot read `cut.tileirbc`");
    folder.tile(&["diff", "a.tile", "missing.tile"]).refuses(2, "file `missing.tile` not found");
    folder.tile(&["diff", "-", "-"]).refuses(2, "only one of the programs can be standard input");
    folder.tile(&["diff", ".", "a.tile"]).refuses(2, "cannot compare a folder with a file");
}
