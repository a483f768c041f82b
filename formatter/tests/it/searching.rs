//! Which files below a folder are found.

use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tile_config::Configs;

/// The files of a project with their text, the folder that is searched, and what is found.
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    searched: &'static str,
    found: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "files come in the order of their names, and hidden ones do not",
        files: &[("b.tile", ""), ("a/c.tile", ""), ("a/.d.tile", ""), (".e/f.tile", ""), ("g.txt", "")],
        searched: "",
        found: &["a/c.tile", "b.tile"],
    },
    Case {
        name: "names match everywhere, paths from their folder on",
        files: &[
            (".gitignore", "out\n/top.tile\ndeep/x.tile\n"),
            ("a/out/1.tile", ""),
            ("a/top.tile", ""),
            ("b/deep/x.tile", ""),
            ("deep/x.tile", ""),
            ("out.tile", ""),
            ("top.tile", ""),
        ],
        searched: "",
        found: &["a/top.tile", "b/deep/x.tile", "out.tile"],
    },
    Case {
        name: "a slash at the end asks for a folder",
        files: &[(".gitignore", "a.tile/\nb/\n"), ("a.tile", ""), ("b/c.tile", "")],
        searched: "",
        found: &["a.tile"],
    },
    Case {
        name: "the last line that matches counts, and takes hidden files in too",
        files: &[
            (".gitignore", "*.tile\n!keep.tile\n!.hidden.tile\nkeep.tile\n!keep.tile\n"),
            ("a.tile", ""),
            ("keep.tile", ""),
            (".hidden.tile", ""),
        ],
        searched: "",
        found: &[".hidden.tile", "keep.tile"],
    },
    Case {
        name: "nothing is taken in below a folder that is left out",
        files: &[(".gitignore", "out/\n!out/a.tile\n"), ("out/a.tile", ""), ("b.tile", "")],
        searched: "",
        found: &["b.tile"],
    },
    Case {
        name: "the rules of nearer folders are stronger",
        files: &[(".gitignore", "*.tile\n"), ("a/.gitignore", "!b.tile\n"), ("a/b.tile", ""), ("a/c.tile", "")],
        searched: "",
        found: &["a/b.tile"],
    },
    Case {
        name: "the rules of folders above what is searched hold too",
        files: &[
            (".gitignore", "/a/b/x.tile\n"),
            ("a/.ignore", "y.tile\n"),
            ("a/b/x.tile", ""),
            ("a/b/y.tile", ""),
            ("a/b/z.tile", ""),
        ],
        searched: "a/b",
        found: &["a/b/z.tile"],
    },
    Case {
        name: "a folder that is named is searched, whatever leaves it out",
        files: &[(".gitignore", "out/\n"), ("out/a.tile", "")],
        searched: "out",
        found: &["out/a.tile"],
    },
    Case {
        name: ".ignore is stronger than .gitignore, and that than what a repository leaves out",
        files: &[
            (".ignore", "!a.tile\n"),
            (".gitignore", "a.tile\n!b.tile\n"),
            (".git/info/exclude", "b.tile\nc.tile\n"),
            ("a.tile", ""),
            ("b.tile", ""),
            ("c.tile", ""),
        ],
        searched: "",
        found: &["a.tile", "b.tile"],
    },
    Case {
        name: "a working folder of a repository that lies elsewhere leaves out what that does",
        files: &[
            ("w/.git", "gitdir: ../main/.git/worktrees/w\n"),
            ("main/.git/worktrees/w/commondir", "../..\n"),
            ("main/.git/info/exclude", "a.tile\n"),
            ("w/a.tile", ""),
            ("w/b.tile", ""),
        ],
        searched: "w",
        found: &["w/b.tile"],
    },
    Case {
        name: "comments, blank lines, blanks at the end, marks and lines that are no pattern do no harm",
        files: &[
            (".gitignore", "\u{feff}a.tile\r\n# b.tile\n\n[b.tile\n\\#c.tile\nd.tile  \n\\!e.tile\n"),
            ("a.tile", ""),
            ("b.tile", ""),
            ("#c.tile", ""),
            ("d.tile", ""),
            ("!e.tile", ""),
        ],
        searched: "",
        found: &["b.tile"],
    },
    Case {
        name: "what git reads above a repository says nothing about it, but about its folder, and .ignore does",
        files: &[
            (".gitignore", "a.tile\nno\n"),
            (".git/info/exclude", "b.tile\n"),
            (".ignore", "c.tile\n"),
            ("in/.git/HEAD", ""),
            ("in/a.tile", ""),
            ("in/b.tile", ""),
            ("in/c.tile", ""),
            ("in/deep/a.tile", ""),
            ("no/.git", "gitdir: ../in/.git\n"),
            ("no/d.tile", ""),
            ("out/a.tile", ""),
        ],
        searched: "",
        found: &["in/a.tile", "in/b.tile", "in/deep/a.tile"],
    },
    Case {
        name: "the same where the search begins in the repository",
        files: &[
            (".gitignore", "*\n"),
            ("in/.git/HEAD", ""),
            ("in/deep/a.tile", ""),
            ("in/.gitignore", "b.tile"),
            ("in/deep/b.tile", ""),
        ],
        searched: "in/deep",
        found: &["in/deep/a.tile"],
    },
    Case {
        name: "braces are no more than braces, and blanks count behind a backslash",
        files: &[
            (".gitignore", "{a,b}.tile\n\\{x,y\\}.tile\nc\\ \nd\\\\ \n"),
            ("a.tile", ""),
            ("{a,b}.tile", ""),
            ("{x,y}.tile", ""),
            ("x.tile", ""),
            ("c /1.tile", ""),
            ("d/2.tile", ""),
        ],
        searched: "",
        found: &["a.tile", "d/2.tile", "x.tile"],
    },
    Case {
        name: "tile.toml leaves out more",
        files: &[
            ("tile.toml", "exclude = [\"gen\", \"**/old\", \"{x,y}*.tile\"]\n"),
            ("gen/a.tile", ""),
            ("b/gen/c.tile", ""),
            ("b/old/d.tile", ""),
            ("x1.tile", ""),
            ("b/x.tile", ""),
        ],
        searched: "",
        found: &["b/gen/c.tile", "b/x.tile"],
    },
];

fn found(folder: &Path, searched: &str) -> Vec<String> {
    let is_tile = |path: &Path| path.extension().is_some_and(|extension| extension == "tile");
    let (files, errors) = tile_files::below(&folder.join(searched), &Configs::default(), is_tile);
    assert_eq!(errors, [""; 0]);
    let name =
        |file: &Path| file.strip_prefix(folder).expect("a file below").to_str().expect("text").replace('\\', "/");
    files.iter().map(|file| name(file)).collect()
}

#[test]
fn what_is_found_is_what_no_rule_leaves_out() {
    for case in CASES {
        let folder = TempDir::new().expect("a folder");
        for (name, text) in case.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        assert_eq!(found(folder.path(), case.searched), case.found, "{}", case.name);
    }
}

#[cfg(unix)]
#[test]
fn links_to_files_are_found_and_links_to_folders_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("a")).expect("a folder");
    fs::write(folder.path().join("a/b.tile"), "").expect("a file");
    for (to, link) in [("a/b.tile", "c.tile"), ("a", "d"), ("a", "e.tile"), ("nowhere", "f.tile")] {
        symlink(to, folder.path().join(link)).expect("a link");
    }
    assert_eq!(found(folder.path(), ""), ["a/b.tile", "c.tile"]);
    // What is named is followed.
    assert_eq!(found(folder.path(), "d"), ["d/b.tile"]);
    // A link that leads out of the searched folder is not.
    fs::create_dir(folder.path().join("g")).expect("a folder");
    symlink("../a/b.tile", folder.path().join("g/out.tile")).expect("a link");
    assert_eq!(found(folder.path(), "g"), [""; 0]);
    assert_eq!(found(folder.path(), ""), ["a/b.tile", "c.tile", "g/out.tile"]);
}
