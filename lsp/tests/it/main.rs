//! Tests of the server through its protocol.

mod client;
mod conversations;
mod features;
mod floods;
mod protocol;
mod random;
mod server;
mod shown;
mod stress;
mod text;
