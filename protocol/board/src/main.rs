//! The program: reads its command line, opens the folder of games, serves the page.

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use kujira_board::config::Config;
use kujira_board::engine::Launch;
use kujira_board::store::Store;
use kujira_board::token::Token;
use kujira_board::{address, browser, server};
use kujira_program::status::{self, Stop};
use kujira_table::{Levels, Resources};
use tokio::runtime::Runtime;

/// Whale shogi in the browser: serves a board for all three games on this machine, prints its addresses and opens the
/// first of them in the browser.
#[derive(Parser)]
#[command(name = "kujira-board", version)]
struct Arguments {
    /// The address to listen on. Anything but loopback lets others on the network play here, who have the link.
    /// By default 127.0.0.1.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,

    /// The port; 0 lets the system choose one. By default the first from 8330 on that is free.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Asks nobody for the token in the link that is printed where others on the network can reach the board: whoever
    /// does may play, and delete games.
    #[arg(long)]
    no_token: bool,

    /// The most threads that pages may have an engine use. By default 64, and the number of processors where others on
    /// the network can reach the board.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Resources::MOST.threads)))]
    threads: Option<u32>,

    /// The largest table, in MiB, that pages may have an engine use. By default 4096, and 256 where others on the network
    /// can reach the board.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=i64::from(Resources::MOST.hash)))]
    hash: Option<u32>,

    /// Opens no browser. None is opened either where a port or an address to listen on is asked for, nor where there is
    /// no screen.
    #[arg(long)]
    no_open: bool,

    /// A name of this machine under which others may ask for the page; can be given several times.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,

    /// The engine, a program that speaks USI, with its arguments. By default the one built in.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,

    /// The folder games are saved in. By default the user's folder for program data.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,

    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Speaks USI on stdin and stdout: the engine built in, as the board starts it.
    Usi,
}

fn main() -> ExitCode {
    status::begin("kujira-board", begin)
}

#[inline(never)]
fn begin() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return status::usage("kujira-board", error.print(), error.use_stderr()),
    };
    if matches!(arguments.task, Some(Task::Usi)) {
        let end = kujira::run(io::stdin(), io::stdout(), kujira_search::engine);
        return status::exit("kujira-board", end.heard().map_err(Stop::from));
    }
    status::exit("kujira-board", start(arguments))
}

/// Serves until a signal ends it: a server is never done.
fn start(arguments: Arguments) -> Result<(), Stop> {
    let engine = engine(arguments.engine.as_deref())?;
    let folder = match arguments.state {
        Some(folder) => folder,
        None => directories::ProjectDirs::from("", "", "kujira-board")
            .map(|folders| folders.data_local_dir().to_owned())
            .ok_or_else(|| {
                "expected a home folder to keep games in, found none; name one with --state"
                    .to_owned()
            })?,
    };
    let store = Store::open(&folder, Levels::kujira())
        .map_err(|error| format!("games cannot be kept in {}: {error}", folder.display()))?;
    let ip = arguments.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let opens = !arguments.no_open
        && arguments.port.is_none()
        && arguments.listen.is_none()
        && browser::has_screen();
    let mut config = Config::new(engine, ip);
    config.hosts = arguments.host;
    let most = if ip.is_loopback() { Resources::MOST } else { shared() };
    config.most = Resources {
        threads: arguments.threads.unwrap_or(most.threads),
        hash: arguments.hash.unwrap_or(most.hash),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    run(runtime, async {
        let listener = address::listen(ip, arguments.port).await?;
        let listened = listener.local_addr().map_err(|error| error.to_string())?;
        let alone = listened.ip().is_loopback();
        if !alone && !arguments.no_token {
            let token = Token::new(listened.port()).map_err(|error| error.to_string())?;
            config.token = Some(token);
        }
        let behind = config.token.as_ref().map(Token::query).unwrap_or_default();
        let here = format!("http://{}/{behind}", address::here(listened));
        let mut told = format!("Kujira Board: {here}\n");
        for other in address::others(listened, &address::own()) {
            let _ = writeln!(told, "Kujira Board: http://{other}/{behind}");
        }
        let _ = writeln!(told, "Games are kept in {}. Ctrl-C ends it.", folder.display());
        // Signals are caught before the address is printed.
        let signal = signal().map_err(|error| format!("signals cannot be caught: {error}"))?;
        // It is no error if nobody reads it.
        status::tell(&told);
        if !alone {
            status::warn(&warning(listened, &config));
        }
        if opens {
            // Connections wait until the server takes them.
            tokio::task::spawn_blocking(move || {
                if let Err(error) = browser::open(&here) {
                    status::warn(&format!(
                        "kujira-board: {here} cannot be opened in a browser from here ({error})\n"
                    ));
                }
            });
        }
        server::serve(listener, server::app(config, store), signal).await;
        Err(Stop::Interrupted)
    })
}

/// What pages may have an engine use where others on the network can open one.
fn shared() -> Resources {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = u32::try_from(processors).unwrap_or(u32::MAX);
    Resources { threads, hash: 256 }.within(Resources::MOST)
}

/// What is said where others can reach the board.
fn warning(listened: SocketAddr, config: &Config) -> String {
    let place = match listened.ip().is_unspecified() {
        true => format!("port {} of this machine", listened.port()),
        false => listened.to_string(),
    };
    let who = match config.token {
        Some(_) => format!("whoever has the link and reaches {place}"),
        None => format!("anybody who reaches {place}"),
    };
    let Resources { threads, hash } = config.most;
    format!(
        "kujira-board: {who} may play for either side, delete all games, and set threads and memory of the engines \
         (each at most {threads} threads and {hash} MiB)\n"
    )
}

/// Runs the work, then ends what is left of it without waiting for a disk that hangs.
fn run<T>(runtime: Runtime, work: impl Future<Output = T>) -> T {
    let done = runtime.block_on(work);
    // Engines are killed meanwhile.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Ends with the first signal that asks a program to end: those that [`status::stop_on_signal`] takes elsewhere.
///
/// # Errors
/// If signals cannot be caught.
fn signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let [mut interrupt, mut terminate, mut hangup] = [
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ];
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    {
        Ok(async {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// How the engine is started: the command given, or this program itself.
fn engine(command: Option<&str>) -> Result<Launch, String> {
    let Some(command) = command else {
        let program = std::env::current_exe()
            .map_err(|error| format!("this program cannot be found, name an engine: {error}"))?;
        return Ok(Launch { program, arguments: vec!["usi".to_owned()] });
    };
    let mut words = shlex::split(command)
        .ok_or_else(|| format!("expected a command with closed quotes, found {command}"))?
        .into_iter();
    let program = words.next().ok_or("expected a command behind --engine, found nothing")?;
    let launch = Launch { program: program.into(), arguments: words.collect() };
    // A wrong path is an error now, not at the first move; a plain name is looked up when the engine starts.
    if launch.program.components().count() > 1 && !launch.program.exists() {
        return Err(format!(
            "expected an engine at {program}, found nothing",
            program = launch.program.display()
        ));
    }
    Ok(launch)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// A disk may hang for ever: the board ends all the same.
    #[test]
    fn what_hangs_holds_up_no_end() {
        let (end, over) = channel::<()>();
        let hangs = move || over.recv_timeout(kujira_trial::PATIENCE);
        run(Runtime::new().unwrap(), async move { drop(tokio::task::spawn_blocking(hangs)) });
        assert!(end.send(()).is_ok(), "it hangs still");
    }
}
