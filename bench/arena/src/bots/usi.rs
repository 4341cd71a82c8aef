//! A bot as an engine: USI on standard input and output.

use std::io::{self, BufRead, Write};

use kujira_position::{Outcome, Rules, UsiMove, Variant, VariantId, with_variant};
use kujira_statistics::Stream;
use kujira_usi::names::VARIANT;
use kujira_usi::{
    BestMove, Checkmate, Command, DeclaredOption, Go, Info, Line, OptionKind, Protocol, RuleSwitch,
    Score, SetOption, SetPosition, Value,
};

use super::bot::Bot;
use super::material::Material;

use crate::openings::Opening;

/// A session with whoever speaks USI.
pub struct Session {
    bot: Bot,
    game: VariantId,
    rules: Rules,
    material: Material,
    position: Opening,
    chance: Stream,
    /// The answer of a search that goes on until `stop`.
    held: Option<Line>,
}

fn material_of(game: VariantId) -> Material {
    with_variant!(game, V => Material::of::<V>())
}

impl Session {
    /// A bot that has been told nothing yet.
    #[must_use]
    pub fn new(bot: Bot, game: VariantId, seed: u64) -> Self {
        Self {
            bot,
            game,
            rules: Rules::DEFAULT,
            material: material_of(game),
            position: Opening::default(),
            chance: Stream::new(seed),
            held: None,
        }
    }

    /// Obeys until `quit` or the end of input.
    ///
    /// # Errors
    /// If input cannot be read or output not be written.
    pub fn run(mut self, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for line in input.lines() {
            let line = line?;
            let command = Command::parse(&line, Protocol::Usi);
            if command == Ok(Command::Quit) {
                break;
            }
            let answers = command.map_err(|error| error.to_string());
            let answers = answers.and_then(|command| self.obey(command));
            for answer in answers.unwrap_or_else(|error| vec![Line::Error(error)]) {
                writeln!(output, "{}", answer.display(Protocol::Usi))?;
            }
            output.flush()?;
        }
        Ok(())
    }

    /// What it says to a line.
    fn obey(&mut self, command: Command<'_>) -> Result<Vec<Line>, String> {
        Ok(match command {
            Command::Introduce(Protocol::Usi) => self.introduce(),
            Command::IsReady => vec![Line::ReadyOk],
            Command::SetOption(option) => self.set_option(option).map(|()| Vec::new())?,
            Command::Position(SetPosition(text)) => self.set_position(text).map(|()| Vec::new())?,
            Command::Go(go) => self.go(&go),
            Command::Stop | Command::PonderHit(_) | Command::GameOver(_) => {
                self.held.take().into_iter().collect()
            }
            _ => Vec::new(),
        })
    }

    fn introduce(&self) -> Vec<Line> {
        let combo = |name: &str, default: &str, choices: Vec<&str>| {
            let choices = choices.into_iter().map(str::to_owned).collect();
            let kind = OptionKind::Combo { default: Some(default.to_owned()), choices };
            Line::Option(DeclaredOption { name: name.to_owned(), kind })
        };
        let games = VariantId::ALL.iter().map(|game| game.spec().id).collect();
        let mut lines = vec![
            Line::Name(format!("Kujira bot {}", self.bot)),
            Line::Author("the authors of Kujira".to_owned()),
            combo(VARIANT.usi, self.game.spec().id, games),
        ];
        lines.extend(RuleSwitch::ALL.map(|switch| {
            combo(switch.option(), switch.value(Rules::DEFAULT), switch.choices().to_vec())
        }));
        lines.push(Line::Introduced(Protocol::Usi));
        lines
    }

    fn set_option(&mut self, option: SetOption<'_>) -> Result<(), String> {
        let (name, value) = (option.name, option.value.unwrap_or(""));
        if VARIANT.is(name) {
            let game = VariantId::named(value)
                .ok_or_else(|| format!("expected {}, found {value}", VariantId::choices()))?;
            if game != self.game {
                (self.game, self.material) = (game, material_of(game));
                self.position = Opening::default();
            }
        } else if let Some(switch) =
            RuleSwitch::ALL.into_iter().find(|switch| switch.option().eq_ignore_ascii_case(name))
        {
            switch.set(&mut self.rules, value).map_err(|error| error.to_string())?;
        }
        // Whatever else programs set (the size of a table, threads) means nothing to a bot.
        Ok(())
    }

    fn set_position(&mut self, rest: &str) -> Result<(), String> {
        let position: Opening =
            rest.parse().map_err(|error: kujira_record::Error| error.to_string())?;
        with_variant!(self.game, V => position.position::<V>(self.rules).map(drop))
            .map_err(|error| error.to_string())?;
        self.position = position;
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Vec<Line> {
        if go.mate {
            return vec![Line::Checkmate(Checkmate::NotImplemented)];
        }
        let (info, answer) = with_variant!(self.game, V => self.choose::<V>());
        let mut lines: Vec<Line> = info.map(Line::Info).into_iter().collect();
        if go.infinite || go.ponder {
            self.held = Some(answer);
        } else {
            lines.push(answer);
        }
        lines
    }

    /// What it thinks of the position, and its answer.
    fn choose<V: Variant>(&mut self) -> (Option<Info>, Line) {
        let resigns = (None, Line::BestMove(BestMove::Resign));
        let Ok(position) = self.position.position::<V>(self.rules) else { return resigns };
        if position.outcome().is_some() {
            return resigns;
        }
        let us = position.side();
        if matches!(position.impasse(), Some(Outcome::Win { winner, .. }) if winner == us) {
            return (None, Line::BestMove(BestMove::Win));
        }
        match self.bot.choose(&position, &self.material, &mut self.chance) {
            None => resigns,
            Some(choice) => {
                let text = UsiMove::<V>::new(choice.m).to_string();
                let info = Info {
                    depth: Some(self.bot.depth()),
                    score: Some(Value::Score(Score::Cp(choice.gain))),
                    nodes: Some(choice.nodes),
                    pv: vec![text.clone()],
                    ..Info::default()
                };
                (Some(info), Line::BestMove(BestMove::of(text)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a bot says to these lines.
    fn said(bot: Bot, lines: &str) -> String {
        let mut output = Vec::new();
        Session::new(bot, VariantId::Whale, 1).run(lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn it_introduces_itself() {
        let text = said(Bot::Captures, "usi\nisready\n");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "id name Kujira bot captures");
        let game =
            "option name USI_Variant type combo default whale var whale var paulowich var great";
        assert!(lines.contains(&game), "{text}");
        assert_eq!(lines[lines.len() - 2..], ["usiok", "readyok"]);
    }

    #[test]
    fn it_plays_the_game_it_is_told() {
        let text = said(
            Bot::Hanging,
            "setoption name USI_Variant value paulowich\n\
             position sfen w6/3g3/7/3K3/7/7/6W b - 1\ngo nodes 1\nquit\ngo\n",
        );
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("info depth 1 score cp "), "{text}");
        assert_eq!(lines[1], "bestmove 4d4b");
    }

    #[test]
    fn a_search_without_end_waits_for_stop() {
        let text = said(Bot::Random, "go infinite\nisready\nstop\nstop\n");
        let words: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(words, ["info", "readyok", "bestmove"]);
    }

    #[test]
    fn what_it_cannot_do_it_says() {
        assert_eq!(said(Bot::Random, "go mate 100\n"), "checkmate notimplemented\n");
        let text = said(Bot::Random, "position sfen nonsense\nposition startpos moves 1a1a\n");
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().all(|line| line.starts_with("info string error")), "{text}");
        // Checkmate.
        let text = said(Bot::Material, "position sfen 5w/4K1/5W/6/6/6 w - 1\ngo depth 1\n");
        assert_eq!(text, "bestmove resign\n");
    }
}
