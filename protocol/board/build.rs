//! Compiles the server anew when a file of the page changes, comes or goes.

fn main() {
    println!("cargo::rerun-if-changed=../page/src");
}
