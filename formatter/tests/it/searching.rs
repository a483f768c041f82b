//! The search for files in a folder.

use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tile_config::Configs;

/// The files of a project with their text, the folder that is searched, and the files found.
struct Case {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    searched: &'static str,
    found: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "files are sorted by name, and hidden ones are skipped",
        files: &[("b.tile", ""), ("a/c.tile", ""), ("a/.d.tile", ""), (".e/f.tile", ""), ("g.txt", "")],
        searched: "",
        found: &["a/c.tile", "b.tile"],
    },
    Case {
        name: "names match at any depth, paths are relative to their folder",
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
        name: "a trailing slash matches only folders",
        files: &[(".gitignore", "a.tile/\nb/\n"), ("a.tile", ""), ("b/c.tile", "")],
        searched: "",
        found: &["a.tile"],
    },
    Case {
        name: "the last matching line wins and can include hidden files",
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
        name: "files below an ignored folder cannot be included again",
        files: &[(".gitignore", "out/\n!out/a.tile\n"), ("out/a.tile", ""), ("b.tile", "")],
        searched: "",
        found: &["b.tile"],
    },
    Case {
        name: "rules of nearer folders take precedence",
        files: &[(".gitignore", "*.tile\n"), ("a/.gitignore", "!b.tile\n"), ("a/b.tile", ""), ("a/c.tile", "")],
        searched: "",
        found: &["a/b.tile"],
    },
    Case {
        name: "rules of folders above the searched folder apply",
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
        name: "a folder named explicitly is searched even if it is ignored",
        files: &[(".gitignore", "out/\n"), ("out/a.tile", "")],
        searched: "out",
        found: &["out/a.tile"],
    },
    Case {
        name: ".ignore takes precedence over .gitignore, and that over .git/info/exclude",
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
        name: "a linked worktree uses .git/info/exclude of its main repository",
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
        name: "comments, blank lines, trailing spaces, byte order marks and invalid patterns are accepted",
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
        name: "git's rules outside a nested repository apply to its folder but not inside it; .ignore applies inside",
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
        name: "the same if the search starts inside the nested repository",
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
        name: "braces are literal, and a space after a backslash is significant",
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
        name: "patterns mean what they mean in git: braces are plain, and sets can have classes",
        files: &[
            (".gitignore", "{a,b}.tile\n[[:alpha:]][!0-8].tile\ndeep/**/out.tile\n"),
            ("{a,b}.tile", ""),
            ("a.tile", ""),
            ("x8.tile", ""),
            ("x9.tile", ""),
            ("deep/out.tile", ""),
            ("deep/1/2/out.tile", ""),
            ("other/deep/out.tile", ""),
        ],
        searched: "",
        found: &["a.tile", "other/deep/out.tile", "x8.tile"],
    },
    Case {
        name: "tile.toml excludes more files",
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
        |file: &Path| file.strip_prefix(folder).expect("below the folder").to_str().expect("UTF-8").replace('\\', "/");
    files.iter().map(|file| name(file)).collect()
}

#[test]
fn finds_the_files_that_no_rule_ignores() {
    for case in CASES {
        let folder = TempDir::new().expect("the folder is created");
        // Windows has no names that end with a space.
        for (name, text) in case.files.iter().filter(|(name, _)| cfg!(unix) || !name.contains(" /")) {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("the path has a parent")).expect("the folder is created");
            fs::write(path, text).expect("the file is written");
        }
        assert_eq!(found(folder.path(), case.searched), case.found, "{}", case.name);
    }
}

#[cfg(unix)]
#[test]
fn finds_links_to_files_and_does_not_follow_links_to_folders() {
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().expect("the folder is created");
    fs::create_dir(folder.path().join("a")).expect("the folder is created");
    fs::write(folder.path().join("a/b.tile"), "").expect("the file is written");
    for (to, link) in [("a/b.tile", "c.tile"), ("a", "d"), ("a", "e.tile"), ("nowhere", "f.tile")] {
        symlink(to, folder.path().join(link)).expect("the link is created");
    }
    assert_eq!(found(folder.path(), ""), ["a/b.tile", "c.tile"]);
    // A link that is named explicitly is followed.
    assert_eq!(found(folder.path(), "d"), ["d/b.tile"]);
    // A link that leads out of the searched folder is not followed.
    fs::create_dir(folder.path().join("g")).expect("the folder is created");
    symlink("../a/b.tile", folder.path().join("g/out.tile")).expect("the link is created");
    assert_eq!(found(folder.path(), "g"), [""; 0]);
    assert_eq!(found(folder.path(), ""), ["a/b.tile", "c.tile", "g/out.tile"]);
}
