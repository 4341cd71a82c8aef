//! The time of day may step: nobody loses on time, and nothing waits for ever.

use kujira_trial::clock::SteppingClock;
use kujira_usi::Reason;

use crate::harness::{Place, said};

#[test]
fn steps_of_the_time_of_day_decide_no_game() {
    let Some(clock) = SteppingClock::start() else { return };
    let place = Place::new();
    let engines = [
        place.engine(&["--pause=5"], &["name=A"]),
        place.engine(&["--pause=5", "--seed=2"], &["name=B"]),
    ];
    // Each of the four times comes while there is a game.
    for run in 1.. {
        let more = ["--tc=60+1", "--pairs=4", "--concurrency=2", "--max-plies=80", "--fresh"];
        let mut command = place.command("match whale", &engines, &more);
        clock.give(&mut command);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let games = place.games();
        assert_eq!(games.len(), 8);
        for game in &games {
            assert_ne!(game.ending.reason, Reason::Time, "{}", said(&output));
            // A day long, or less than nothing, if times came from the time of day.
            assert!(game.moves.iter().all(|m| m.us < 60_000_000), "{:?}", game.moves);
        }
        if clock.steps() > 4 {
            println!("{} games, {} steps of a day", run * games.len(), clock.stop());
            break;
        }
    }
}
