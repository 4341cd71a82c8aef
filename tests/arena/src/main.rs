//! The engine's session over stdin and stdout.

fn main() {
    kujira::run(std::io::stdin(), std::io::stdout(), kujira_search::engine);
}
