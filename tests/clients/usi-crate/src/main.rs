//! Kujira in the hands of the `usi` crate, by somebody else: introduction, options, a game on clocks in each game with
//! ponder hits, a mate, and an analysis that is stopped.
//!
//! `kujira-usi-crate ENGINE`; exit status 1: something was not as it has to be.

use std::error::Error;
use std::sync::mpsc::{self, Receiver, SendError};
use std::time::Duration;

use usi::{
    BestMoveParams, CheckmateParams, EngineCommand, GameOverKind, GuiCommand, InfoParams,
    MateParam, ThinkParams, UsiEngineHandler,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The games, their starts, for which the crate has no word of its own, and a mate in one where the board is small.
const GAMES: &[(&str, &str, Option<&str>)] = &[
    ("whale", "bnpwgh/dddddd/6/6/DDDDDD/HGWPNB b - 1", Some("5w/3K2/5W/6/6/6 b - 1")),
    ("paulowich", "bnpwagh/ddddddd/7/7/7/DDDDDDD/HGAWPNB b - 1", Some("6w/4K2/6W/7/7/7/7 b - 1")),
    (
        "great",
        "br,dp,hp,b,f,w,m,se,rt,bd,bw/2,h,2,nb,2,s,2/brc,dpc,nb,bc,fc,k,mc,sec,p,bdc,bwc/2,nbc,2,kc,2,pc,2/11/11/11/\
         2,PC,2,KC,2,NBC,2/BWC,BDC,P,SEC,MC,K,FC,BC,NB,DPC,BRC/2,S,2,NB,2,H,2/BW,BD,RT,SE,M,W,F,B,HP,DP,BR b - 1",
        None,
    ),
];

/// Longer games are broken off.
const LONGEST: usize = 40;

/// After this an engine that says nothing is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine behind its introduction, and what it says.
struct Engine {
    handler: UsiEngineHandler,
    said: Receiver<EngineCommand>,
}

impl Engine {
    fn start(path: &str, game: &str) -> Outcome<Self> {
        let mut handler = UsiEngineHandler::spawn(path, ".")?;
        let info = handler.get_info()?;
        check("Kujira", info.name().starts_with("Kujira "), info.name())?;
        for (name, default) in
            [("USI_Hash", "64"), ("USI_Variant", "whale"), ("USI_Ponder", "false")]
        {
            let found = info.options().get(name);
            check(name, found.map(String::as_str) == Some(default), found)?;
        }
        for (name, value) in [("USI_Variant", game), ("USI_Hash", "16"), ("USI_Ponder", "true")] {
            handler
                .send_command(&GuiCommand::SetOption(name.to_owned(), Some(value.to_owned())))?;
        }
        handler.prepare()?;
        handler.send_command(&GuiCommand::UsiNewGame)?;
        let (sender, said) = mpsc::channel();
        handler.listen(move |output| match output.response() {
            Some(command) => sender.send(command.clone()),
            // The error ends the thread that reads; there is nothing more to read.
            None => Err(SendError(EngineCommand::Unknown)),
        })?;
        Ok(Self { handler, said })
    }

    fn send(&mut self, command: &GuiCommand) -> Outcome<()> {
        Ok(self.handler.send_command(command)?)
    }

    fn go(&mut self, sfen: &str, params: ThinkParams) -> Outcome<()> {
        self.send(&GuiCommand::Position(sfen.to_owned()))?;
        self.send(&GuiCommand::Go(params))
    }

    /// The answer to a search, and the last line of play that was told before it.
    fn answer(&self) -> Outcome<(EngineCommand, Vec<String>)> {
        let mut line = Vec::new();
        loop {
            let told = match self.said.recv_timeout(PATIENCE)? {
                EngineCommand::Info(told) => told,
                answer => return Ok((answer, line)),
            };
            for part in told {
                match part {
                    InfoParams::Pv(moves) => line = moves,
                    InfoParams::Text(text) => check("no error", !text.starts_with("error"), &text)?,
                    _ => {}
                }
            }
        }
    }

    /// The move that a search ends with, and the reply that is expected; none where the game is over.
    fn best(&self) -> Outcome<Option<(String, Option<String>)>> {
        match self.answer()? {
            (EngineCommand::BestMove(BestMoveParams::MakeMove(best, reply)), line) => {
                check("a line that begins with the move", line.first() == Some(&best), &line)?;
                Ok(Some((best, reply)))
            }
            (EngineCommand::BestMove(BestMoveParams::Resign | BestMoveParams::Win), _) => Ok(None),
            (found, _) => Err(format!("expected bestmove, found {found:?}").into()),
        }
    }

    /// Plays a game with itself, in which every second move was pondered on; returns its plies.
    fn play(&mut self, start: &str) -> Outcome<usize> {
        let clock = || {
            let (second, gain) = (Duration::from_secs(1), Duration::from_millis(10));
            ThinkParams::new().btime(second).wtime(second).binc(gain).winc(gain)
        };
        let mut moves: Vec<String> = Vec::new();
        let position = |moves: &[String]| format!("{start} moves {}", moves.join(" "));
        while moves.len() < LONGEST {
            self.go(&position(&moves), clock())?;
            let Some((best, reply)) = self.best()? else { break };
            moves.push(best);
            let Some(reply) = reply else { continue };
            moves.push(reply);
            self.go(&position(&moves), clock().ponder())?;
            self.send(&GuiCommand::Ponderhit)?;
            let Some((best, _)) = self.best()? else { break };
            moves.push(best);
        }
        self.send(&GuiCommand::GameOver(GameOverKind::Draw))?;
        Ok(moves.len())
    }
}

fn check(expected: &str, truth: bool, found: impl std::fmt::Debug) -> Outcome<()> {
    if truth { Ok(()) } else { Err(format!("expected {expected}, found {found:?}").into()) }
}

fn main() -> Outcome<()> {
    let path = std::env::args().nth(1).ok_or("expected the path of the engine")?;
    for &(game, start, mate) in GAMES {
        let mut engine = Engine::start(&path, game)?;
        let plies = engine.play(start)?;
        engine.go(start, ThinkParams::new().infinite())?;
        engine.send(&GuiCommand::Stop)?;
        check("a move", engine.best()?.is_some(), "none")?;
        if let Some(mate) = mate {
            let limit = MateParam::Timeout(Duration::from_secs(2));
            engine.go(mate, ThinkParams::new().mate(limit))?;
            let (found, _) = engine.answer()?;
            let one = |moves: &Vec<String>| moves.len() == 1;
            let is_mate = matches!(&found, EngineCommand::Checkmate(CheckmateParams::Mate(moves)) if one(moves));
            check("a mate in one", is_mate, found)?;
        }
        println!("usi crate: {game}: {plies} plies");
    }
    Ok(())
}
