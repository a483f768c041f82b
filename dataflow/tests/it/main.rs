//! Access maps and data flow graphs of programs.

mod graphs;
mod maps;
mod program;
