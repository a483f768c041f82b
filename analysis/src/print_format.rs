//! The format strings of `print_tko`.
