//! Hands the compiler's version and target to the `compiler` command.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "rustc of unknown version".to_owned(), |text| text.trim().to_owned());
    println!("cargo::rustc-env=KUJIRA_RUSTC={version}");
    let target = env::var("TARGET").unwrap_or_else(|_| "unknown target".to_owned());
    println!("cargo::rustc-env=KUJIRA_TARGET={target}");
}
