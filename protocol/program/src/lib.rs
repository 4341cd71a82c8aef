//! What a program owes whoever runs it from a shell.
//!
//! The programs of the family (`kujira`, `kujira-bench`, `kujira-training`, `kujira-board`) share these rules:
//!
//! - [`outputs`]: no output goes over an input, nor over a file that the program did not make;
//! - [`whole`]: files that are replaced are there as a whole or not at all, power cuts included;
//! - [`growing`]: files that are added to, whose names are on disk before anything in them is;
//! - [`lock`]: one run at a time writes to a file;
//! - [`regular`]: reading nothing that could block, and no more than was asked for;
//! - [`group`]: child processes, killed with all that they started;
//! - [`arguments`]: arguments that several of them take;
//! - [`shard`]: which share of a work of many tasks a machine does;
//! - [`cpu`]: which instructions a build needs, and the build for this machine's processor;
//! - [`status`]: how they begin, standard output that nobody reads, signals, and the exit status that tells of them.
//!
//! ```
//! use kujira_program::outputs::{Mark, Outputs};
//!
//! let folder = tempfile::tempdir()?;
//! let (data, net) = (folder.path().join("data"), folder.path().join("net"));
//! std::fs::write(&data, "my own")?;
//! let network = Mark::new("a network", &[b"KujiraNN"]);
//!
//! let mut outputs = Outputs::new(false);
//! outputs.input("--data", &data).output("--out", &net, network);
//! assert!(outputs.check().is_ok());
//! kujira_program::whole::write(&net, b"KujiraNN and so on")?;
//!
//! let mut outputs = Outputs::new(false);
//! outputs.output("--out", &data, network);
//! assert!(outputs.check().unwrap_err().to_string().contains("expected a network"));
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod arguments;
pub mod cpu;
pub mod group;
pub mod growing;
mod launch;
pub mod lock;
pub mod outputs;
pub mod regular;
pub mod shard;
pub mod status;
mod warning;
pub mod whole;
