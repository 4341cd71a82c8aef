//! The server: the page, the list of games, and a WebSocket for each page that is open.
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use kujira_table::message::{LONGEST_COMMAND, LONGEST_REQUEST, Message, NewGame};
use kujira_table::spec::spec_view;
use kujira_table::{GameId, Made, new_game};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::config::Config;
use crate::connections::{self, Limits};
use crate::guard;
use crate::page;
use crate::refusal::refused;
use crate::session::{blocking, text};
use crate::sessions::{Seat, SeatError, Sessions};
use crate::store::Store;

/// What every request may need.
struct Server {
    config: Arc<Config>,
    sessions: Sessions,
    pages: AtomicUsize,
    /// What the page needs to know of the games: made once.
    spec: String,
}

type Shared = State<Arc<Server>>;

/// How long a page may take to answer a farewell.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long games have to be saved and engines to be ended when the server ends.
const PARTING: Duration = Duration::from_secs(5);

/// The server, ready to be asked.
pub struct App {
    server: Arc<Server>,
    routes: Router,
}

/// A server of the games of a folder.
#[must_use]
pub fn app(config: Config, store: Store) -> App {
    let config = Arc::new(config);
    let spec = json!(spec_view(&config.levels, config.most));
    let server = Arc::new(Server {
        sessions: Sessions::new(Arc::clone(&config), Arc::new(store)),
        config,
        pages: AtomicUsize::new(0),
        spec: spec.to_string(),
    });
    let routes = Router::new()
        .route("/", get(index))
        .route("/api/spec", get(spec_json))
        .route("/api/games", get(list).post(create).layer(DefaultBodyLimit::max(LONGEST_REQUEST)))
        .route("/api/games/{id}", delete(remove))
        .route("/ws/{id}", get(connect))
        // Everything else is a file of the page, at an address relative to it.
        .route("/{*address}", get(asset))
        .layer(DefaultBodyLimit::max(LONGEST_COMMAND))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), check))
        .with_state(Arc::clone(&server));
    App { server, routes }
}

/// Serves until `stop` is ready; then games save what they still have, such as the time on their clocks.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) {
    let App { server, routes } = app;
    let limits = Limits { head: server.config.head, most: server.config.most_connections };
    tokio::select! {
        () = connections::serve(listener, routes, limits) => {}
        () = stop => {}
    }
    // Every move is on disk already: there is no need to wait for a disk that hangs.
    let _ = timeout(PARTING, server.sessions.close()).await;
}

/// Headers of every answer. Nothing is loaded from elsewhere, and nobody may frame the page.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests of foreign pages, and requests without the token.
async fn check(State(server): Shared, request: Request, next: Next) -> Response {
    let answered = match guard::check(request.headers(), &server.config) {
        Ok(()) => server.config.token.as_ref().and_then(|token| token.answer(&request)),
        Err(error) => Some(refused(StatusCode::FORBIDDEN, &error)),
    };
    let mut response = match answered {
        Some(response) => response,
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(address: &str) -> Response {
    match page::find(address) {
        Some(page::Asset { kind, content }) => {
            ([(header::CONTENT_TYPE, kind)], content).into_response()
        }
        None => refused(StatusCode::NOT_FOUND, "no such file"),
    }
}

async fn index() -> Response {
    file("index.html")
}

async fn asset(Path(address): Path<String>) -> Response {
    file(&address)
}

async fn spec_json(State(server): Shared) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], server.spec.clone()).into_response()
}

async fn list(State(server): Shared) -> Response {
    let store = Arc::clone(server.sessions.store());
    match blocking(move || store.summaries()).await {
        Ok(games) => Json(games).into_response(),
        Err(error) => refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

async fn create(State(server): Shared, request: Request) -> Response {
    let time = server.config.body;
    let Ok(body) = timeout(time, Json::<NewGame>::from_request(request, &())).await else {
        let error = format!("expected the whole request within {} s", time.as_secs_f32());
        return refused(StatusCode::REQUEST_TIMEOUT, &error);
    };
    let request = match body {
        Ok(Json(request)) => request,
        Err(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let error = format!("expected at most {LONGEST_REQUEST} bytes, found more");
            return refused(StatusCode::PAYLOAD_TOO_LARGE, &error);
        }
        Err(error) => return refused(error.status(), &error.body_text()),
    };
    // Reading a long text takes time, during which other requests are answered.
    let levels = server.config.levels.clone();
    let fleeting = request.fleeting;
    let made = tokio::task::spawn_blocking(move || new_game(&request, &levels));
    let Made { saved, notice } = match made.await {
        Ok(Ok(made)) => made,
        Ok(Err(error)) => return refused(StatusCode::UNPROCESSABLE_ENTITY, &error),
        Err(error) => return refused(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    };
    // It runs to its end even if the client is gone: a file without a session would stay for ever.
    let created = tokio::spawn(async move {
        match fleeting {
            true => server.sessions.create_fleeting(saved).await,
            false => server.sessions.create(saved).await,
        }
    });
    match created.await.unwrap_or_else(|error| Err(SeatError::Unwritten(io::Error::other(error)))) {
        Ok(id) => {
            let answer = match notice {
                Some(notice) => json!({ "id": id, "notice": notice }),
                None => json!({ "id": id }),
            };
            Json(answer).into_response()
        }
        Err(error) => {
            let status = match error {
                SeatError::Full(_) | SeatError::TooMany => StatusCode::TOO_MANY_REQUESTS,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            let answer = json!({ "error": error.to_string(), "why": error.why() });
            (status, Json(answer)).into_response()
        }
    }
}

async fn remove(State(server): Shared, Path(id): Path<String>) -> Response {
    let Some(id) = GameId::parse(&id) else {
        return refused(StatusCode::NOT_FOUND, "There is no such game.");
    };
    match server.sessions.delete(&id).await {
        Ok(()) => Json(json!({})).into_response(),
        Err(error) => refused(StatusCode::CONFLICT, &error.to_string()),
    }
}

/// A page that is connected, for counting.
struct Counted(Arc<Server>);

impl Counted {
    fn one_more(server: &Arc<Server>) -> Option<Self> {
        let most = server.config.most_pages;
        let more = |pages| (pages < most).then_some(pages + 1);
        let counted = server.pages.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        counted.ok().map(|_| Self(Arc::clone(server)))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn connect(
    State(server): Shared,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(counted) = Counted::one_more(&server) else {
        return refused(StatusCode::TOO_MANY_REQUESTS, "Too many pages are open.");
    };
    let upgrade = upgrade.max_message_size(LONGEST_COMMAND).max_frame_size(LONGEST_COMMAND);
    // Errors go over the socket: a browser does not tell the page why an upgrade was refused.
    upgrade.on_upgrade(async move |mut socket| {
        let ping = server.config.ping;
        let seat = match GameId::parse(&id) {
            Some(id) => server.sessions.join(&id).await,
            None => Err(SeatError::Unknown),
        };
        match seat {
            Ok(seat) => talk(&mut socket, seat, ping).await,
            Err(error) => {
                let (why, text) = (error.why(), error.to_string());
                let gone = json!({ "type": "gone", "why": why, "text": text }).to_string();
                tell(&mut socket, Frame::Text(gone.into()), ping).await;
            }
        }
        tell(&mut socket, Frame::Close(None), ping).await;
        // Wait until the page closes, too: a connection closed with unread data loses the last message.
        let _ = timeout(FAREWELL, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
        drop(counted);
    })
}

/// Sends a message; `false` if the page is gone, or has not read for a while.
async fn tell(socket: &mut WebSocket, message: Frame, ping: Duration) -> bool {
    matches!(timeout(2 * ping, socket.send(message)).await, Ok(Ok(())))
}

/// An error as a page is told of it.
fn error(text_of_it: String) -> Frame {
    frame(&text(&Message::Error { text: text_of_it }))
}

fn frame(text: &str) -> Frame {
    Frame::Text(text.into())
}

/// Carries messages between a page and its session until one of them is gone. A page that leaves a
/// ping unanswered until the next is due is gone, too: its network may have ended without a word.
async fn talk(socket: &mut WebSocket, mut seat: Seat, ping: Duration) {
    let mut pings = interval_at(Instant::now() + ping, ping);
    // After a sleep of this machine, too, a page has the whole time to answer.
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut alive = true;
    loop {
        let told = tokio::select! {
            told = seat.next() => match told {
                Some(text) => frame(&text),
                None => break,
            },
            _ = pings.tick() => {
                if !std::mem::take(&mut alive) {
                    break;
                }
                Frame::Ping(Default::default())
            },
            received = socket.recv() => {
                alive = true;
                match received {
                    Some(Ok(Frame::Text(command))) => match serde_json::from_str(&command) {
                        Ok(command) => match seat.ask(command).await {
                            Some(()) => continue,
                            None => break,
                        },
                        Err(why) => error(format!("expected a command, found none: {why}")),
                    },
                    Some(Ok(Frame::Binary(_))) => error("expected text, found bytes".to_owned()),
                    Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => continue,
                    Some(Ok(Frame::Close(_)) | Err(_)) | None => break,
                }
            }
        };
        if !tell(socket, told, ping).await {
            break;
        }
    }
}
