//! Access maps and data flow graphs of programs.

mod footprints;
mod graphs;
mod hovers;
mod images;
mod maps;
mod program;
mod views;
