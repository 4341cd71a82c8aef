//! What the exactness tests of the three games share.
//!
//! - [`oracle`]: a slow move generator written from the rules, which shares no code with the engine;
//! - [`differential`]: the engine's rules compared with the oracle's;
//! - [`agreement`]: what holds of every position, whatever the oracle says;
//! - [`counts`]: the perft files in `tests/perft`;
//! - [`playouts`] and [`setups`]: seeded random games and positions;
//! - [`records`]: random games with all that a record can hold;
//! - [`imports`]: which modules of a crate import which;
//! - [`views`]: what a position says of itself, as text, to compare two implementations by.
//!
//! The tests themselves are in `tests/suites`. `docs/testing.md` tells how to run them.

#![forbid(unsafe_code)]

pub mod agreement;
pub mod counts;
pub mod differential;
pub mod imports;
pub mod oracle;
pub mod playouts;
pub mod records;
pub mod setups;
pub mod views;

/// Makes a test of each named function for each game: the functions are generic over the game.
#[macro_export]
macro_rules! for_every_game {
    ($($test:ident),+ $(,)?) => {
        $crate::for_games!(whale: Whale; $($test),+);
        $crate::for_games!(paulowich: Paulowich; $($test),+);
        $crate::for_games!(great: Great; $($test),+);
    };
}

/// Makes a test of each named function for the two games with check and dolphins.
#[macro_export]
macro_rules! for_small_games {
    ($($test:ident),+ $(,)?) => {
        $crate::for_games!(whale_only: Whale; $($test),+);
        $crate::for_games!(paulowich_only: Paulowich; $($test),+);
    };
}

/// Makes a module with a test of each named function for one game.
#[macro_export]
macro_rules! for_games {
    ($module:ident: $game:ident; $($test:ident),+) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    super::$test::<kujira_position::$game>();
                }
            )+
        }
    };
}
