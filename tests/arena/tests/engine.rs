//! The engine against itself, through the match runner: what is certain must come out.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kujira_arena::adjudication::Adjudication;
use kujira_arena::clock::Limit;
use kujira_arena::engine::{EngineConfig, Failure, Session, Timeouts};
use kujira_arena::entrant::Entrant;
use kujira_arena::files::Begin;
use kujira_arena::game::GameRules;
use kujira_arena::header::MatchHeader;
use kujira_arena::match_openings::Source;
use kujira_arena::openings::RandomOpenings;
use kujira_arena::progress::Progress;
use kujira_arena::runner::{Finish, MatchSpec, open, run};
use kujira_arena::schedule::Format;
use kujira_arena::standings::Standings;
use kujira_position::{Great, Paulowich, Rules, Variant, Whale};
use kujira_usi::{Go, Switches};

/// A directory that goes away with its test.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("kujira-matches-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays pairs between two engines that may search so many nodes a move.
fn play<V: Variant>(nodes: [u64; 2], pairs: u32) -> Standings {
    let place = Place::new();
    let patience = Timeouts::default();
    let stopped = Arc::new(AtomicBool::new(false));
    let entrants = ["First", "Second"].iter().zip(nodes).map(|(name, nodes)| {
        let command = format!("cmd={}", env!("CARGO_BIN_EXE_engine-in-matches"));
        let words = [&command, &format!("name={name}"), &format!("nodes={nodes}")];
        let mut config = EngineConfig::parse(words.map(String::as_str)).unwrap();
        V::SPEC.id.clone_into(&mut config.variant);
        let margin = Duration::from_secs(1);
        Entrant::meet(config, Limit::default(), margin, patience, &stopped).unwrap()
    });
    let entrants: Vec<_> = entrants.collect();
    let adjudication = Adjudication::default();
    let max_plies = 300;
    let plan = MatchSpec {
        header: MatchHeader {
            game: V::SPEC.id.to_owned(),
            rules: Switches::default(),
            engines: entrants.iter().map(|entrant| entrant.header(patience).0).collect(),
            format: Format::default(),
            openings: "seed 3".to_owned(),
            max_plies,
            adjudication,
            sprt: None,
            title: None,
            shard: None,
            experiment: None,
            run: None,
        },
        entrants,
        game_rules: GameRules {
            rules: Rules::DEFAULT,
            max_plies,
            adjudication,
            affinity: false,
            start_tries: 3,
            hang: patience.hang,
        },
        rounds: pairs,
        concurrency: 2,
        timeouts: patience,
        sprt: None,
        stop_file: None,
        out: place.0.join("match"),
        begin: Begin::Checked,
    };
    let opened = open::<V>(&plan, |made| {
        RandomOpenings::new(3, 6..=7, Rules::DEFAULT, None, made)
            .map(|openings| Source::Random(Box::new(openings)))
    });
    let progress = Progress::new(u64::from(pairs) * 2, true);
    let (standings, finish) = run::<V>(&plan, opened.unwrap(), &stopped, &progress).unwrap();
    assert_eq!(finish, Finish::Complete);
    assert_eq!(standings.games, u64::from(pairs) * 2);
    assert!(standings.reasons.keys().all(|reason| reason.is_regular()), "{:?}", standings.reasons);
    standings
}

/// On one thread and at fixed nodes an engine plays the same game twice, whatever colour it has: any
/// other pair than 1–1 would be a bug.
fn draws_every_pair<V: Variant>(nodes: u64, pairs: u32) {
    let standings = play::<V>([nodes, nodes], pairs);
    let expected = [0, 0, u64::from(pairs), 0, 0];
    assert_eq!(standings.first_pairing().pairs.by_score(), &expected, "{}", V::SPEC.id);
}

#[test]
fn the_engine_draws_every_pair_against_itself() {
    draws_every_pair::<Whale>(500, 4);
    draws_every_pair::<Paulowich>(500, 4);
    draws_every_pair::<Great>(100, 1);
}

/// Equals would get 40 of 80 half points with a deviation of 6.3 at the most: 66 is four of those away.
#[test]
fn an_eighth_of_the_nodes_loses() {
    let standings = play::<Whale>([2000, 250], 20);
    let points = standings.first_pairing().half_points();
    assert!(points >= 66, "{points} of 80 half points");
}

/// Whoever goes on with a session that was called off is told so again: any other failure would lose a game.
#[test]
fn what_is_called_off_stays_so() {
    let stopped = Arc::new(AtomicBool::new(false));
    let command = format!("cmd={}", env!("CARGO_BIN_EXE_engine-in-matches"));
    let mut config = EngineConfig::parse([command.as_str()]).unwrap();
    Whale::SPEC.id.clone_into(&mut config.variant);
    let mut session = Session::start(&Arc::new(config), Timeouts::default(), &stopped).unwrap();
    stopped.store(true, Ordering::Relaxed);
    let go = Go { nodes: Some(1_000_000_000), ..Go::default() };
    for _ in 0..2 {
        let failure = session.go("startpos", &go, Duration::from_secs(60)).unwrap_err();
        assert!(matches!(failure, Failure::Interrupted), "{failure}");
    }
}
