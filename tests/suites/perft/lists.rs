//! The lists of moves agree with each other and with the count.

use kujira_position::{Position, Variant};
use kujira_tests::agreement::lists;
use kujira_tests::{counts, for_every_game, playouts, setups, views};
use rayon::prelude::*;

for_every_game!(captures_and_quiets_make_up_the_list);

fn captures_and_quiets_make_up_the_list<V: Variant>() {
    let mut positions: Vec<Position<V>> =
        counts::known::<V>().iter().map(|known| views::position(&known.sfen)).collect();
    positions.extend(playouts::sample::<V>(31, 1_000));
    let mut rng = playouts::random(32);
    for _ in 0..500 {
        for sort in [setups::Sort::Mixed, setups::Sort::Hunt] {
            positions.push(setups::random(&mut rng, sort, Default::default()));
        }
    }
    positions.into_par_iter().for_each(|position| lists::check(&position));
}
