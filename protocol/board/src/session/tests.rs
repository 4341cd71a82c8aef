//! Tables without a network, at times of their own.

use tempfile::TempDir;

use super::*;
use crate::clock::TimeControl;
use crate::engine::{Launch, Timeouts};

const HOUR: Duration = Duration::from_secs(3600);
const ENGINE: Player = Player::Engine { level: 10 };

/// Greets, and thinks for ever.
const THINKER: &str = "while read line; do case \"$line\" in \
    usi) echo 'option name USI_Variant type combo default whale var whale'; echo usiok;; \
    isready) echo readyok;; quit) exit 0;; esac; done";

fn request(players: [Player; 2], time: Option<TimeControl>) -> NewGame {
    let mut request: NewGame = serde_json::from_str(
        r#"{"variant":"whale","players":[{"kind":"human"},{"kind":"human"}]}"#,
    )
    .unwrap();
    request.players = players;
    request.time = time;
    request
}

fn humans() -> NewGame {
    request([Player::Human; 2], None)
}

/// A table that is patient with its engine, and the folder it saves its game in.
fn table(request: &NewGame) -> (Session, TempDir) {
    let arguments = vec!["-c".to_owned(), THINKER.to_owned()];
    let launch = Launch { program: "sh".into(), arguments };
    let mut config = Config::new(launch, "127.0.0.1".parse().unwrap());
    let day = 24 * HOUR;
    config.timeouts = Timeouts { greeting: day, ready: day, stop: day, think: day };
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(Store::open(folder.path()).unwrap());
    let id = GameId::random().unwrap();
    (Session::new(id, new_game(request).unwrap().saved, Arc::new(config), store), folder)
}

/// Somebody looks on as long as this is held.
fn sit(session: &mut Session) -> broadcast::Receiver<Arc<str>> {
    let (answer, mut seat) = oneshot::channel();
    session.take(Input::Join(answer));
    seat.try_recv().unwrap().1
}

fn play(session: &mut Session, moves: &[&str]) {
    for usi in moves {
        let at = session.saved.current;
        assert!(session.obey(Command::Play { at, usi: (*usi).to_owned() }).unwrap().is_none());
    }
}

fn running(session: &Session) -> Option<Color> {
    session.clock.as_ref().and_then(Clock::running)
}

fn left(session: &Session, now: Instant) -> [u64; 2] {
    session.clock.as_ref().unwrap().left(now)
}

/// Lets the engine start, for which it takes hours. Returns when it begins to search.
async fn start_engine(session: &mut Session, mut now: Instant) -> Instant {
    while session.player.searching().is_none() {
        now += HOUR;
        session.settle(now);
        assert_eq!((running(session), session.saved.playing), (None, true));
        let event = tokio::time::timeout(Duration::from_secs(30), session.engine_events.recv());
        let event = event.await.unwrap().unwrap();
        session.hear(event, now);
    }
    session.settle(now);
    now
}

#[test]
fn a_clock_stands_while_nobody_looks_on() {
    let time = TimeControl { main: 10_000, increment: 0, byoyomi: 0 };
    let (mut session, _folder) = table(&request([Player::Human; 2], Some(time)));
    let start = session.seen;
    session.settle(start);
    assert_eq!(running(&session), Some(Color::Black));
    let absent = start + ABSENCE;
    session.settle(absent);
    assert_eq!((running(&session), left(&session, absent)), (None, [5000, 10_000]));
    session.settle(start + HOUR);
    assert!(session.saved.playing, "no time has passed");
    let _seat = sit(&mut session);
    session.settle(start + HOUR);
    assert_eq!(running(&session), Some(Color::Black));
    session.settle(start + HOUR + Duration::from_secs(5));
    let over = Ending { winner: Some(Side::White), reason: Reason::Time };
    assert_eq!(session.saved.game.node(0).unwrap().ending, Some(over));
}

#[tokio::test]
async fn the_clock_of_an_engine_starts_with_its_search() {
    let time = TimeControl { main: 0, increment: 0, byoyomi: 1000 };
    let (mut session, _folder) = table(&request([ENGINE, Player::Human], Some(time)));
    let _seat = sit(&mut session);
    let start = session.seen;
    let start = start_engine(&mut session, start).await;
    assert_eq!(running(&session), Some(Color::Black));
    // Its move may be on the way when the time is up.
    session.settle(start + Duration::from_millis(1049));
    assert!(session.saved.playing);
    session.settle(start + Duration::from_millis(1050));
    assert!(!session.saved.playing);
}

#[tokio::test]
async fn an_engine_that_failed_goes_on_with_the_time_it_had() {
    let time = TimeControl { main: 60_000, increment: 0, byoyomi: 0 };
    let (mut session, _folder) = table(&request([ENGINE, Player::Human], Some(time)));
    let _seat = sit(&mut session);
    let start = session.seen;
    let start = start_engine(&mut session, start).await;
    let later = start + Duration::from_secs(20);
    session.player.reject("a test says so");
    session.settle(later);
    assert_eq!((running(&session), left(&session, later)), (None, [40_000, 60_000]));
    session.settle(later + HOUR);
    assert!(session.saved.playing && session.player.failed());
    session.obey(Command::Restart { role: Role::Player }).unwrap();
    session.settle(later + HOUR);
    assert_eq!(session.player.job().unwrap().go.to_string(), "go btime 40000 wtime 60000");
    let again = start_engine(&mut session, later + HOUR).await;
    // One that is restarted while it searches has spent time as well.
    session.settle(again + Duration::from_secs(10));
    session.obey(Command::Restart { role: Role::Player }).unwrap();
    session.settle(again + Duration::from_secs(10));
    assert_eq!(session.player.job().unwrap().go.to_string(), "go btime 30000 wtime 60000");
}

#[test]
fn absence_begins_when_the_last_page_leaves() {
    let (mut session, _folder) = table(&humans());
    std::thread::sleep(Duration::from_millis(2));
    let before = Instant::now();
    assert!(session.seen < before);
    session.take(Input::Leave);
    assert!(session.seen >= before);
}

#[test]
fn looking_back_takes_nothing_away() {
    let (mut session, _folder) = table(&humans());
    play(&mut session, &["2e2d", "3b3c", "5e5d"]);
    session.obey(Command::Resign { side: Side::White }).unwrap();
    session.obey(Command::Goto { node: 2 }).unwrap();
    session.obey(Command::TakeBack).unwrap();
    let saved = &session.saved;
    assert_eq!((saved.current, saved.playing), (1, false));
    assert_eq!(saved.game.reachable(), [0, 1, 2, 3]);
    session.obey(Command::TakeBack).unwrap();
    assert_eq!(session.obey(Command::TakeBack).unwrap_err(), "There is no move to take back.");
    // Nor is anything lost where the game is taken up again among its moves.
    session.obey(Command::Goto { node: 1 }).unwrap();
    session.obey(Command::Resume).unwrap();
    session.obey(Command::TakeBack).unwrap();
    let saved = &session.saved;
    assert_eq!((saved.current, saved.tip, saved.playing), (0, 0, true));
    assert_eq!(saved.game.reachable(), [0, 1, 2, 3]);
}

#[test]
fn a_game_taken_up_again_goes_on_where_it_was_given_up() {
    let (mut session, _folder) = table(&humans());
    play(&mut session, &["2e2d", "3b3c"]);
    session.obey(Command::Resign { side: Side::Black }).unwrap();
    session.obey(Command::Goto { node: 1 }).unwrap();
    session.obey(Command::Resume).unwrap();
    play(&mut session, &["3b3c"]);
    let saved = &session.saved;
    assert_eq!((saved.tip, saved.playing), (2, true));
    assert_eq!(saved.game.node(2).unwrap().ending, None);
}

#[test]
fn a_running_game_takes_back_to_where_a_person_moves() {
    let (mut session, _folder) = table(&request([Player::Human, ENGINE], None));
    play(&mut session, &["2e2d"]);
    let answer = session.saved.game.play(1, "3b3c").unwrap();
    session.advance(answer);
    session.obey(Command::TakeBack).unwrap();
    assert_eq!((session.saved.tip, session.saved.game.reachable()), (0, vec![0]));
    // Both sides are moved by hand where no game is on: then it is one move.
    session.obey(Command::Pause).unwrap();
    play(&mut session, &["2e2d", "3b3c", "5e5d"]);
    let shown = session.saved.current;
    session.obey(Command::TakeBack).unwrap();
    let game = &session.saved.game;
    assert_eq!(game.node(shown).unwrap().parent, Some(session.saved.current));
    assert_eq!(game.reachable().len(), 4);
}

#[test]
fn a_game_that_goes_on_elsewhere_is_the_main_line() {
    let (mut session, _folder) = table(&humans());
    play(&mut session, &["2e2d", "3b3c"]);
    session.obey(Command::Goto { node: 0 }).unwrap();
    play(&mut session, &["5e5d", "2b2c"]);
    session.obey(Command::Resign { side: Side::White }).unwrap();
    let mut export = |format| {
        let export = Command::Export { format, date: String::new() };
        let Ok(Some(Reply::Text { text, .. })) = session.obey(export) else { panic!("a text") };
        text
    };
    let pgn = export(record::Format::Pgn);
    assert!(pgn.contains("[Result \"1-0\"]"), "{pgn}");
    assert!(pgn.contains("1. 5e5d ( 1. 2e2d 3b3c ) 1... 2b2c 1-0"), "{pgn}");
    assert!(export(record::Format::Usi).contains("startpos moves 5e5d 2b2c\n"));
}

#[test]
fn what_a_new_game_would_not_hold_is_worth_keeping() {
    let keeps = |request: &NewGame| table(request).0.worth_keeping();
    assert!(!keeps(&humans()));
    let time = TimeControl { main: 60_000, increment: 0, byoyomi: 0 };
    assert!(keeps(&request([Player::Human; 2], Some(time))));
    assert!(keeps(&NewGame { handicap: Some("P".to_owned()), ..humans() }));
    assert!(keeps(&NewGame { sfen: Some("3w2/6/6/6/6/3W2 w K 1".to_owned()), ..humans() }));
    let rules = crate::rules::Switches { impasse: true, ..Default::default() };
    assert!(keeps(&NewGame { rules, ..humans() }));
    let (mut session, _folder) = table(&humans());
    play(&mut session, &["2e2d"]);
    assert!(session.worth_keeping());
}
