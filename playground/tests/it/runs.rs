//! Runs, their results, and pages.

use crate::support::{Page, scale};
use serde_json::json;

#[test]
fn a_run_prints_and_is_judged() {
    let mut page = Page::open(&scale("%block"));
    let ended = page.run(true);
    assert_eq!(page.printed, "block 0\nblock 1\n");
    let outcome = &ended["outcome"];
    assert_eq!(outcome["passed"], true);
    assert!(outcome["summary"].as_str().is_some_and(|text| text.starts_with("1 expectation met, 2 blocks in ")));
    assert_eq!(page.slice(&outcome["expectations"][0]["range"]), "expect %y == 2 * %x");
}

#[test]
fn hovers_show_what_values_held_in_another_instance() {
    let mut other = Page::open(&scale("%block"));
    let (plain, sanitized) = (other.run(false), other.run(true));
    assert_eq!((&plain["recorded"], &sanitized["recorded"]), (&json!(false), &json!(true)));
    let recorded = other.ask(json!({ "method": "record", "entry": "scale", "launch": 0 }));
    for run in [&recorded, &sanitized["run"]] {
        let mut page = Page::open(&scale("%block"));
        page.ask(json!({ "method": "restoreRun", "run": run }));
        let at = page.at("%b = addf");
        let hover = page.ask(json!({ "method": "hover", "at": at }));
        assert!(hover["text"].as_str().is_some_and(|text| text.contains("min 0, max 510, mean 255")), "{hover}");
        let buffer = page.at("%y = f32") + 1;
        let hover = page.ask(json!({ "method": "hover", "at": buffer }));
        assert!(hover["text"].as_str().is_some_and(|text| text.contains("- before: all 0")), "{hover}");
    }
}

#[test]
fn values_that_are_not_finite_are_restored() {
    let mut page = Page::open(&scale("%block").replace("addf %a, %a", "divf %a, %a"));
    let ended = page.run(true);
    assert_eq!(ended["outcome"]["passed"], false);
    page.ask(json!({ "method": "restoreRun", "run": ended["run"] }));
    let at = page.at("%b = divf");
    let hover = page.ask(json!({ "method": "hover", "at": at }));
    assert!(hover["text"].as_str().is_some_and(|text| text.contains("1 NaN")), "{hover}");
}

#[test]
fn the_sanitizer_reports_a_race_with_its_page() {
    let mut page = Page::open(&scale("%by"));
    let ended = page.run(true);
    let finding = &ended["outcome"]["findings"][0];
    assert_eq!((finding["code"].as_str(), page.slice(&finding["range"]).as_str()), (Some("R0107"), "store_view_tko"));
    assert!(finding["page"].as_str().is_some_and(|text| text.starts_with("# R0107")));
}

#[test]
fn a_program_with_an_error_does_not_run() {
    let mut page = Page::open(&scale("%block").replace("addf", "addff"));
    let run = json!({ "method": "run", "entry": "scale", "launch": 0, "sanitize": false });
    let refused = page.try_ask(run).expect_err("it has an error");
    assert_eq!(refused, "`@scale` has an error: unknown op `addff`; did you mean `addf`?");
    let other = json!({ "method": "run", "entry": "other", "launch": 0, "sanitize": false });
    assert_eq!(page.try_ask(other), Err("there is no entry `@other`".to_string()));
    let second = json!({ "method": "run", "entry": "scale", "launch": 1, "sanitize": false });
    assert!(page.try_ask(second).expect_err("there is one launch").contains("has no launch"));
}

#[test]
fn printed_text_is_limited() {
    let loops = "%n = constant <i32: 100000> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      print_tko \"again\\n\" -> token
    }
    return";
    let mut page = Page::open(&scale("%block").replace("return", loops));
    let ended = page.run(false);
    let again = page.printed.matches("again\n").count();
    assert!((5000..6000).contains(&again), "{again}");
    let left_out = &ended["outcome"]["left_out"][0];
    assert_eq!(left_out[0], page.at("print_tko \"again"));
    assert_eq!(left_out[1], 2 * 100_000 * 6 - (32 << 10));
}

#[test]
fn a_launch_reads_a_file_that_was_added() {
    let mut page = Page::open(&scale("%block").replace("f32[256] iota", "f32[256] npy(\"x.npy\")"));
    let missing = page.run(false);
    assert!(missing["outcome"]["summary"].as_str().is_some_and(|text| text.contains("x.npy")), "{missing}");
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (256,), }";
    let padded = format!("{header:<117}\n");
    let mut bytes = [&b"\x93NUMPY\x01\x00"[..], &(padded.len() as u16).to_le_bytes(), padded.as_bytes()].concat();
    bytes.extend((0..256).flat_map(|index| (index as f32).to_le_bytes()));
    page.ask(json!({ "method": "addFile", "name": "x.npy", "bytes": bytes }));
    assert_eq!(page.run(false)["outcome"]["passed"], true);
}

#[test]
fn pages_show_data_flow_accesses_and_elements() {
    let mut page = Page::open(&scale("%block"));
    let at = page.at("%b = addf");
    for (method, title) in
        [("graph", "Data flow of @scale"), ("accesses", "Accesses of @scale"), ("view", "%b in @scale")]
    {
        let shown = page.ask(json!({ "method": method, "at": at }));
        assert!(shown["title"].as_str().is_some_and(|text| text.starts_with(title)), "{method}");
        assert!(
            shown["html"]
                .as_str()
                .is_some_and(|text| text.contains("addf") || text.contains("%x") || text.contains("%b"))
        );
        let outside = page.try_ask(json!({ "method": method, "at": 0 }));
        assert_eq!(outside.is_err(), method == "view", "{method}");
    }
}
